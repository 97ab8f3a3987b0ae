"""A server of FastMCP with the same skills in memory. Called with a JSON file of names and texts, and a port."""

import json
import sys

from fastmcp import FastMCP

skills = json.load(open(sys.argv[1]))
server = FastMCP("skills")


@server.tool(output_schema=None)
def load_skill(skill_name: str) -> str:
    return skills[skill_name]


server.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[2]),
    path="/mcp",
    stateless_http=True,
    json_response=True,
    show_banner=False,
    log_level="error",
)
