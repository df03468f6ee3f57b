"""Checks JSON documents against the schemas of docs/schemas/, which use a part of JSON Schema."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
         "items", "const", "enum", "minimum"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, root, path="$"):
    """Yields what is wrong in `value`, each with its path."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError("schema.py does not know %s" % ", ".join(sorted(unknown)))
    if "$ref" in schema:
        yield from problems(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, path)
    if "const" in schema and value != schema["const"]:
        yield "%s: %r is not %r" % (path, value, schema["const"])
    if "enum" in schema and value not in schema["enum"]:
        yield "%s: %r is not one of %s" % (path, value, schema["enum"])
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        yield "%s: %r is not of type %s" % (path, value, " or ".join(types))
        return
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield "%s: %r is less than %r" % (path, value, schema["minimum"])
    if isinstance(value, dict):
        members = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield "%s: there is no member '%s'" % (path, name)
        for name, member in value.items():
            more = schema.get("additionalProperties", True)
            if name in members:
                yield from problems(member, members[name], root, path + "." + name)
            elif more is False:
                yield "%s: the schema has no member '%s'" % (path, name)
            elif isinstance(more, dict):
                yield from problems(member, more, root, path + "." + name)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from problems(item, schema["items"], root, "%s[%d]" % (path, i))
