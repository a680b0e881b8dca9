"""Validates values by a JSON Schema. Usage: check_schema.py SCHEMA <VALUES

SCHEMA has to be a valid one itself. VALUES are lines of JSON: a name and a value. Prints each name with the mistakes of its
value, or only the name.
"""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$schema"]
validator = jsonschema.Draft202012Validator(schema)
# A misspelled reference would only be found by a value that needs it.
references = set()


def collect(value):
    if isinstance(value, dict):
        references.update([value["$ref"]] if "$ref" in value else [])
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        collect(part)


collect(schema)
assert references == {"#/$defs/" + name for name in schema["$defs"]}, references

for line in sys.stdin:
    name, value = json.loads(line)
    print(name, *(f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)), sep="\t")
