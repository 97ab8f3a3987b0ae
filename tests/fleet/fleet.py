"""A fleet of three instances behind nginx, by round robin. Called with the path of the program.

Each part asks through nginx only, and counts the calls that failed: there must be none.
"""

import asyncio
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp import Client

MODES = ["legacy", "2026-07-28"]

NGINX = """
daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {work}/body; proxy_temp_path {work}/proxy; fastcgi_temp_path {work}/fastcgi;
    uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
    {page}
}}
"""


def page(port: int, ports: list[int]) -> str:
    """The configuration of docs/deploy.md, for this machine and without TLS."""
    text = (Path(__file__).parents[2] / "docs/deploy.md").read_text()
    lines = text.split("```nginx\n")[1].split("```")[0].splitlines()
    example = next(line for line in lines if "server 10." in line)
    ours = []
    for line in lines:
        if line == example:
            ours += [example.replace("10.0.0.11:8080", f"127.0.0.1:{one}") for one in ports]
        elif "listen 443 ssl" in line:
            ours.append(f"listen 127.0.0.1:{port};")
        elif "server 10." not in line and "ssl_certificate" not in line:
            ours.append(line)
    assert "ssl" not in "".join(ours) and f"127.0.0.1:{ports[-1]}" in "".join(ours), ours
    return "\n".join(ours)


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def skill(version: int) -> str:
    """A skill whose every part names its version."""
    return f"---\nname: rolling\ndescription: Is version {version}. Use it.\n---\n" + f"Text of version {version}.\n" * 200


class Instance:
    """One process, with a copy of the skills as each machine of a fleet has one."""

    def __init__(self, program: str, root: Path, port: int) -> None:
        self.program, self.root, self.port = program, root, port
        self.write(1)
        self.start()

    def write(self, version: int) -> None:
        """Puts a version in place at once, as a deployment does."""
        (self.root / "rolling").mkdir(parents=True, exist_ok=True)
        new = self.root / "rolling" / ".new"
        new.write_text(skill(version))
        new.rename(self.root / "rolling" / "SKILL.md")

    def start(self) -> None:
        args = ["mcp", "--no-bundle", "--root", self.root, "--http", str(self.port)]
        args += ["--allow-host", "skills.example.com"]
        args += ["--grace", "1", "--drain", "10"]
        self.process = subprocess.Popen([self.program, *args], stderr=subprocess.PIPE, text=True)
        assert "serving at" in self.process.stderr.readline()

    async def replace(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(self.process.wait, 20) == 0
        self.start()


async def load(client: Client) -> str:
    result = await client.call_tool("load_skill", {"skill_name": "rolling"})
    assert not result.is_error, result
    return result.content[0].text


async def sixty(url: str, mode: str) -> None:
    """Six connections of ten calls each."""
    answered = 0
    for _ in range(6):
        async with Client(url, mode=mode) as client:
            for _ in range(10):
                answered += "Text of version" in await load(client)
    assert answered == 60, answered
    print(f"{mode}: 60 of 60 calls")


async def steadily(url: str, mode: str, stop: asyncio.Event) -> list[str]:
    """Calls one after another, on a new connection every now and then, until it is told to stop."""
    texts = []
    while not stop.is_set():
        async with Client(url, mode=mode) as client:
            for _ in range(10):
                texts.append(await load(client))
    return texts


async def meanwhile(url: str, change) -> list[str]:
    """What clients of each protocol are answered while something changes. A failed call ends the test."""
    stop = asyncio.Event()
    clients = [asyncio.create_task(steadily(url, mode, stop)) for mode in MODES * 2]
    try:
        await asyncio.sleep(0.5)
        await change()
        await asyncio.sleep(0.5)
    finally:
        stop.set()
    return [text for texts in await asyncio.gather(*clients) for text in texts]


async def talk(url: str, fleet: list[Instance]) -> None:
    for mode in MODES:
        await sixty(url, mode)

    async def replace() -> None:
        for instance in fleet:
            await instance.replace()

    texts = await meanwhile(url, replace)
    assert all("Text of version 1." in text for text in texts)
    print(f"each instance was replaced: {len(texts)} calls, none failed")

    async def roll() -> None:
        for instance in fleet:
            instance.write(2)
            await asyncio.sleep(0.5)

    texts = await meanwhile(url, roll)
    for text in texts:
        assert ("version 1" in text) != ("version 2" in text), "an answer of two versions"
    old = sum("version 1" in text for text in texts)
    assert 0 < old < len(texts), "both versions were seen"
    async with Client(url) as client:
        for _ in range(6):
            assert "version 2" in await load(client)
    print(f"the skills changed: {old} answers of the old version, {len(texts) - old} of the new one, none of both")


def main(program: str) -> None:
    work = Path(tempfile.mkdtemp())
    port, *ports = free_ports(4)
    running = []
    try:
        fleet = []
        for number, one in enumerate(ports):
            fleet.append(Instance(program, work / f"skills-{number}", one))
        (work / "nginx.conf").write_text(NGINX.format(work=work, page=page(port, ports)))
        nginx = subprocess.Popen(["nginx", "-c", work / "nginx.conf", "-p", work], stderr=subprocess.DEVNULL)
        running.append(nginx)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            asyncio.run(asyncio.sleep(0.05))
        asyncio.run(talk(f"http://127.0.0.1:{port}/mcp", fleet))
    finally:
        for process in [*running, *(instance.process for instance in fleet)]:
            process.terminate()
            process.wait(20)
        shutil.rmtree(work, ignore_errors=True)


main(sys.argv[1])
