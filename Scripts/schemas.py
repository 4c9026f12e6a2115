"""The JSON schemas in docs/schemas: their settings, presets and states are the contract's. generate_contract.py writes them."""
from json import dumps, loads

WIDTH = 120


def current(text, members, names):
    """Returns a schema with the present members of settings, and the present names of each kind of word."""
    return laid_out(with_members(loads(text), members, names)) + "\n"


def with_members(schema, members, names):
    """Returns a part of a schema with what `current` replaces. What has a preset has every setting."""
    if not isinstance(schema, dict):
        return [with_members(part, members, names) for part in schema] if isinstance(schema, list) else schema
    schema = {key: with_members(part, members, names) for key, part in schema.items()}
    for words in names:
        if schema.get("enum", [""])[0] == words[0]:
            schema["enum"] = words
    given = schema.get("properties", {})
    if "preset" in given:
        schema["properties"] = {"preset": given["preset"], **members, **{k: v for k, v in given.items() if k not in members}}
        schema["required"] = list(dict.fromkeys(["preset", *members, *schema["required"]]))
    else:
        given.update((name, members[name]) for name in members.keys() & given.keys())
    return schema


def laid_out(value, indent=0, taken=0):
    """Returns JSON in which what fits is on one line. Of what does not, each member has a line; words share lines."""
    text = dumps(value, ensure_ascii=False)
    if indent + taken + len(text) < WIDTH or not isinstance(value, (dict, list)):
        return text
    margin = " " * (indent + 2)
    if isinstance(value, dict):
        heads = {key: f"{dumps(key, ensure_ascii=False)}: " for key in value}
        lines = [heads[key] + laid_out(part, indent + 2, len(heads[key])) for key, part in value.items()]
    else:
        lines = []
        for part in value:
            is_word = not isinstance(part, (dict, list))
            part = laid_out(part, indent + 2)
            if is_word and lines and len(margin + lines[-1] + part) + 3 < WIDTH:
                lines[-1] += f", {part}"
            else:
                lines.append(part)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{margin}" + f",\n{margin}".join(lines) + f"\n{' ' * indent}{closing}"
