"""Debian's Chromium without a window, driven over WebDriver; it loads nothing but the pages that it is told to."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
_SWITCHES = """
--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-lcd-text --hide-scrollbars --force-color-profile=srgb
"""


@contextmanager
def browser(*, waits: bool = True) -> Iterator[Chrome]:
    """A new browser; one that does not wait returns from `get` before the page is there.

    Raises selenium's exceptions where Chromium or its driver is not installed.
    """
    options = Options()
    options.binary_location = BROWSER
    options.page_load_strategy = "normal" if waits else "none"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory() as profile:
        for switch in (*_SWITCHES.split(), f"--user-data-dir={profile}"):
            options.add_argument(switch)
        driver = Chrome(options=options, service=Service(DRIVER))
        try:
            yield driver
        finally:
            driver.quit()


def look(driver: Chrome, *, dark: bool = False, wide: int = 1280, high: int = 800, media: str = "") -> None:
    """See pages from now on in that colour scheme, size in pixels, and medium ("print", or the screen)."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
