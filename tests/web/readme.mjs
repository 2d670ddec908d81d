// SPDX-License-Identifier: MIT
// The README's pictures of a page, which `make pictures` takes over: small, for what a camera sees is large as a PNG.
import { join } from "node:path";

const WIDTH = 880;

// `size`: of the window whose picture it is; without it the whole page.
export async function forReadme(page, name, size) {
  const usual = page.viewportSize(), [width, height] = size ?? [WIDTH, 640];
  await page.setViewportSize({ width, height });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(process.env.PAGES_OUT, `readme-${name}.png`), fullPage: !size });
  await page.setViewportSize(usual);
}
