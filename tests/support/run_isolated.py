"""Runs a function in a process of its own, for libraries that end the process on some inputs."""
import json
import os
import signal


def run_isolated(function, seconds):
    """(what `function()` returns, as JSON keeps it, or None where its process ended; the status of the process).

    The process has no output, and ends after `seconds`.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(seconds)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        with os.fdopen(writer, "w") as out:
            json.dump(function(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as result:
        text = result.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else None, status
