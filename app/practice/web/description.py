"""The machine-readable description of a service (OpenAPI 3.0), made from the contract's table and models.

Where services.md shows a shape it is described in full. Of the other bodies `open_shapes` describes what a form may ask
for; any object is taken all the same.
"""

import json
from functools import cache
from typing import Any

from app.contract.codes import ManagementStatus
from app.contract.information import Audit, AuditDetail, Order
from app.contract.operations import OPERATIONS, REPLY_FORMATS, Operation, Parameter
from app.contract.submission import Cancellation, OrderSubmission
from app.practice.web.open_shapes import OPEN_BODIES, OPEN_SCHEMAS
from app.practice.web.routes import PREFIXES

Schema = dict[str, Any]

SWAGGER = "/swagger/v1/swagger.json"
_REFERENCE = "#/components/schemas/"
_OPEN: Schema = {"type": "object", "additionalProperties": True}
_PROBLEM: Schema = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "nullable": True},
        "title": {"type": "string", "nullable": True},
        "status": {"type": "integer", "format": "int32", "nullable": True},
        "detail": {"type": "string", "nullable": True},
        "errors": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
    },
}
_RESULT: Schema = {
    "type": "object",
    "properties": {
        "orderReferenceNumber": {"type": "string"},
        "systemNumber": {"type": "integer", "format": "int32"},
        "status": {"type": "string", "enum": [str(each) for each in ManagementStatus]},
    },
}
_MODELS = {"management": (OrderSubmission, Cancellation), "information": (Order, Audit, AuditDetail)}
_SHOWN_BODIES = {"order submission request": "OrderSubmission", "cancellation request": "Cancellation"}
_SHOWN_RETURNS = {
    "submission result": "OrderResult",
    "order status record": "OrderResult",
    "order": "Order",
    "audit": "Audit",
    "audit detail": "AuditDetail",
}
_MAY_NOT_FIND = {"order_cancel", "order_status", "partner_a_cancel"}  # 404s beyond the listing (notes.md)
_KINDS: dict[str, Schema] = {
    "string": {"type": "string"},
    "integer": {"type": "integer", "format": "int32"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
}
_WORDS = {
    200: "Success",
    202: "Accepted",
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    500: "Server error",
}


@cache
def description(service: str, token_url: str) -> str:
    """The description of `management` or `information` as JSON."""
    own = [each for each in OPERATIONS if each.service == service]
    paths: dict[str, Schema] = {}
    for operation in own:
        paths.setdefault(PREFIXES[service] + operation.path, {})[operation.method.lower()] = _operation(operation)
    scopes = {scope: scope for each in own for scope in each.scopes}
    flows = {"clientCredentials": {"tokenUrl": token_url, "scopes": scopes}}
    return json.dumps(
        {
            "openapi": "3.0.1",
            "info": {"title": f"Order {service} service (practice)", "version": "v1"},
            "paths": paths,
            "components": {
                "schemas": _schemas(service),
                "securitySchemes": {"oauth2": {"type": "oauth2", "flows": flows}},
            },
        }
    )


def _operation(operation: Operation) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "tags": [operation.path.split("/")[1]],
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": {str(operation.success): _success(operation)}
        | {str(status): _problem(operation, status) for status in _problems(operation)},
        "security": [{"oauth2": [scope]} for scope in operation.scopes],
    }
    if operation.body:
        shown = _SHOWN_BODIES.get(operation.body) or OPEN_BODIES.get(operation.body)
        schema = {"$ref": _REFERENCE + shown} if shown else _OPEN
        described["requestBody"] = {
            "required": True,
            "content": {each: {"schema": schema} for each in operation.formats},
        }
    return described


def _problems(operation: Operation) -> tuple[int, ...]:
    return (*operation.problems, 404) if operation.name in _MAY_NOT_FIND else operation.problems


def _parameter(parameter: Parameter) -> Schema:
    described: Schema = {"name": parameter.name, "in": parameter.place, "required": parameter.place == "path"}
    if parameter.kind == "object":
        return described | {"content": {"application/json": {"schema": _OPEN}}}
    return described | {"schema": _KINDS[parameter.kind]}


def _success(operation: Operation) -> Schema:
    words = {"description": _WORDS[operation.success]}
    if not operation.returns:
        return words
    if operation.returns.startswith("raw"):
        return words | {"content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}}
    shown = _SHOWN_RETURNS.get(operation.returns)
    if operation.name == "order_cancel":
        shown = "OrderResult"
    schema: Schema = {"$ref": _REFERENCE + shown} if shown else _OPEN
    if operation.returns_list:
        schema = {"type": "array", "items": schema}
    return words | {"content": {each: {"schema": schema} for each in REPLY_FORMATS}}


def _problem(operation: Operation, status: int) -> Schema:
    words = {"description": _WORDS[status]}
    if status in {400, 404} or (status == 403 and operation.name == "third_party_logistics"):
        schema = {"$ref": f"{_REFERENCE}ProblemDetails"}
        formats = ("application/problem+json", "application/problem+xml", *REPLY_FORMATS)
        return words | {"content": {each: {"schema": schema} for each in formats}}
    return words


def _schemas(service: str) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {"ProblemDetails": _PROBLEM, "OrderResult": _RESULT}
    if service == "management":
        schemas |= OPEN_SCHEMAS
    for model in _MODELS[service]:
        schema = model.model_json_schema(ref_template=_REFERENCE + "{model}")
        schemas |= {name: as_3_0(part) for name, part in schema.pop("$defs", {}).items()}
        schemas[model.__name__] = as_3_0(schema)
    if service == "information":
        schemas = _without_zones(schemas)
        schemas["Audit"]["properties"]["auditDate"] = {"type": "number"}  # the model reads it into a moment
    return schemas


def _without_zones(schema: Any) -> Any:
    """The schema without the format date-time, which demands a zone: the service's times carry none (notes.md)."""
    if isinstance(schema, list):
        return [_without_zones(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _without_zones(part) for name, part in schema.items() if (name, part) != ("format", "date-time")}


def as_3_0(schema: Any) -> Any:
    """A schema in the words of OpenAPI 3.0, which writes null and open bounds differently."""
    if isinstance(schema, list):
        return [as_3_0(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # Titles are pydantic's own invention, and a default beside `nullable` would be null.
    changed = {name: as_3_0(part) for name, part in schema.items() if name not in {"default", "title"}}
    if "exclusiveMinimum" in changed:
        changed |= {"minimum": changed["exclusiveMinimum"], "exclusiveMinimum": True}
    choices = changed.get("anyOf", [])
    rest = [each for each in choices if each != {"type": "null"}]
    if len(rest) == len(choices):
        return changed
    del changed["anyOf"]
    # OpenAPI 3.0 ignores whatever stands beside a `$ref`, so a reference stays within `anyOf`.
    if len(rest) == 1 and "$ref" not in rest[0]:
        return changed | rest[0] | {"nullable": True}
    return changed | {"anyOf": rest, "nullable": True}
