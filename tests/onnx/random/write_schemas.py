"""Writes schemas.table: what ONNX's own schemas say of the operators of ai.onnx, for generators that
run where the package onnx is not installed.

    python3 write_schemas.py > schemas.table
"""
import onnx.defs


def types_of(strings):
    return " ".join(sorted(s[len("tensor("):-1] for s in strings if s.startswith("tensor(")))


def main():
    schemas = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == ""]
    print("# operator | version | inputs | types of each constraint; written by write_schemas.py")
    for s in sorted(schemas, key=lambda s: (s.name, s.since_version)):
        if s.deprecated:
            print("%s|%d|deprecated|" % (s.name, s.since_version))
            continue
        inputs = " ".join("%s:%s" % (i.name, i.type_str.replace(" ", "")) for i in s.inputs)
        types = ";".join("%s=%s" % (t.type_param_str, types_of(t.allowed_type_strs))
                         for t in s.type_constraints)
        print("%s|%d|%s|%s" % (s.name, s.since_version, inputs, types))


if __name__ == "__main__":
    main()
