"""The bill of materials: all parts of the packed program for programs to read, as CycloneDX 1.6."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from releasing import reproducible
from releasing.licences import Part

_NAMESPACE = uuid.UUID("6f3b2f0e-6c1e-4d0f-9a53-2f6a4f7c1d11")


def write(parts: list[Part], version: str, target: Path) -> None:
    """Write the bill; the same parts give the same bytes."""
    target.write_text(json.dumps(bill(parts, version), indent=1) + "\n", encoding="utf-8", newline="\n")


def bill(parts: list[Part], version: str) -> dict[str, object]:
    """The bill as data. Its serial number is derived from what it says."""
    components = [_component(part) for part in parts]
    serial = uuid.uuid5(_NAMESPACE, json.dumps([version, components]))
    moment = datetime.fromtimestamp(reproducible.epoch(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    program = {"type": "application", "bom-ref": "waybill", "name": "waybill", "version": version}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"timestamp": moment, "component": program},
        "components": components,
        "dependencies": [{"ref": "waybill", "dependsOn": [address(part) for part in parts]}],
    }


def address(part: Part) -> str:
    """The package URL of a part."""
    place = "debian/" if part.kind == "deb" else ""
    return f"pkg:{part.kind}/{place}{quote(part.name)}@{quote(part.version)}"


def _component(part: Part) -> dict[str, object]:
    return {
        "type": "library",
        "bom-ref": address(part),
        "name": part.name,
        "version": part.version,
        "purl": address(part),
        "licenses": [{"license": {"name": part.licence}}],
    }
