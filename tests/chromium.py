"""Finds Chromium for the browser tests, or installs the system's package and says so."""

import os
import shutil
import subprocess
import sys

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def path() -> str | None:
    """The path of a Chromium on this machine."""
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


def ensure() -> str:
    """Return the path of Chromium; install the system's package first if it is missing."""
    found = path()
    if found:
        return found
    if not shutil.which("apt-get"):
        sys.exit("Chromium is missing: install it, or name its path in CHROMIUM.")
    print("Chromium is missing: installing it from the system's packages …", flush=True)
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*sudo, "apt-get", "-qq"]
    subprocess.run([*apt, "update"], check=True)
    subprocess.run(
        [*apt, "install", "-y", "--no-install-recommends", "chromium", "fonts-noto-core"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    found = path()
    if not found:
        sys.exit("Chromium could not be installed: install it, or name its path in CHROMIUM.")
    return found


if __name__ == "__main__":
    print(f"Chromium: {ensure()}")
