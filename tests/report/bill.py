"""Holds bills of materials against the official schema of CycloneDX, which comes with its library for Python."""

import json
import pathlib
import subprocess
import sys
import tempfile

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

import roots


def bill(skills, directory, root):
    """What the program prints; broken skills are in it too, and make it exit with 1."""
    command = [skills, "report", root, "--sbom", "cyclonedx"]
    ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode in (0, 1) and ran.stdout, ran.stderr
    return ran.stdout


def main():
    skills = sys.argv[1]
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        project = roots.project(directory / "project")
        count = roots.hostile(directory / "hostile")
        for place, root, expected in [(project, "skills", 10), (directory, "hostile", count)]:
            text = bill(skills, place, root)
            error = validator.validate_str(text)
            assert error is None, f"{root}: {error}"
            components = json.loads(text)["components"]
            assert len(components) == expected, (root, len(components))
        locked = next(one for one in json.loads(bill(skills, project, "skills"))["components"] if one["name"] == "table-0001")
        assert locked["purl"] == "pkg:github/acme/skills@0123456789abcdef0123456789abcdef01234567#skills/table-0001", locked
        # That the validator refuses anything at all.
        assert validator.validate_str('{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"type": "skill"}]}')
    print("bills of materials of 10 and of", count, "skills fit the schema of CycloneDX 1.6")


main()
