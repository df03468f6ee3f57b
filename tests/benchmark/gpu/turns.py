"""Measures two programs on one GPU alternately, so that both times are from one run.

Each says "ready" when it can start and when a turn is over, starts a turn when it reads a line, and prints "run: MILLISECONDS" for
each run of a turn. So neither has the GPU to itself while it is cool, and both see the same clocks.
"""
import subprocess
import threading


class Failed(Exception):
    """Why a program gave no times; which of those in turns, where it was one of them."""

    def __init__(self, why, side=None):
        super().__init__(why)
        self.side = side


class Side:
    def __init__(self, words, folder=None, environment=None):
        self.times, self.said = [], []
        self.program = subprocess.Popen([str(word) for word in words], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until_ready(self):
        for line in self.program.stdout:
            if line.strip() == "ready":
                return
            if line.startswith("run: "):
                self.times.append(float(line[5:]))
            else:
                self.said.append(line)
        raise Failed(f"ended with {self.program.wait()}: {''.join(self.said[-12:]).strip()}")

    def turn(self):
        try:
            self.program.stdin.write("\n")
            self.program.stdin.flush()
        except OSError:
            pass  # what it said is read next
        self.until_ready()

    def end(self):
        """Lets it write its results."""
        self.program.stdin.close()
        self.said += self.program.stdout
        if self.program.wait() != 0:
            raise Failed(f"ended with {self.program.returncode}: {''.join(self.said[-12:]).strip()}")


def in_turns(sides, rounds, seconds, halfway=lambda: None):
    """The milliseconds of all runs of each side. All have to be over after so many seconds."""
    late = threading.Event()
    at = 0

    def stop():
        late.set()
        for side in sides:
            side.program.kill()

    watch = threading.Timer(seconds, stop)
    watch.start()
    try:
        for at, side in enumerate(sides):
            side.until_ready()
        for number in range(rounds):
            for at, side in enumerate(sides):
                side.turn()
            if number == rounds // 2:
                halfway()
        for at, side in enumerate(sides):
            side.end()
    except Failed as why:
        raise Failed(f"took more than {seconds:.0f} seconds" if late.is_set() else str(why), None if late.is_set() else at) from None
    finally:
        watch.cancel()
        for side in sides:
            if side.program.poll() is None:
                side.program.kill()
            side.program.wait()
            side.program.stdout.close()
            try:
                side.program.stdin.close()
            except OSError:
                pass  # it ended with a line unread
    return [side.times for side in sides]
