// Bidders in real pages: two at once, one of which is closed in the middle and returns.
//
//     node auction.mjs URL chrome|firefox EXECUTABLE [SCREENSHOT]
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const [url, browser, executablePath, screenshot] = process.argv.slice(2);
const args = browser === "chrome" ? ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] : [];
const running = await puppeteer.launch({ browser, executablePath, args, headless: true });

/// Opens the page. What it complains about ends the test.
async function open() {
  const page = await running.newPage();
  await page.setViewport({ width: 1000, height: 760 });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(url);
  return page;
}
const complaints = [];
/// A page behind another one is not drawn, so what is waited for is looked at by a timer.
const WAIT = { timeout: 20_000, polling: 50 };

/// Waits until an element of the page has a text.
const shows = (page, selector, text) =>
  page.waitForFunction(
    (selector, text) => document.querySelector(selector)?.textContent.includes(text),
    WAIT,
    selector,
    text,
  );
const marks = (page, state) =>
  page.waitForFunction((it) => document.querySelector(it), WAIT, `#state-${state}.current`);

/// Clicks at an element. A browser does not draw a page behind another one, so the page comes to the front.
async function click(page, selector) {
  await page.bringToFront();
  await page.click(selector);
}

async function enter(page, name) {
  await shows(page, "#question", "What is your name?");
  await marks(page, "door");
  await page.bringToFront();
  await page.type("#name", name);
  await click(page, "#enter button");
}

/// Returns the highest bid that a page shows.
const highest = (page) => page.$eval("#highest", (it) => Number.parseInt(it.textContent, 10) || 0);

try {
  const ada = await open();
  await enter(ada, "Ada");
  await marks(ada, "floor");
  await shows(ada, "#news", "Ada has come.");

  // The name is taken; another one is not.
  const ben = await open();
  await enter(ben, "Ada");
  await shows(ben, "#question", "taken");
  await ben.$eval("#name", (it) => (it.value = ""));
  await ben.type("#name", "Ben");
  await click(ben, "#enter button");
  await marks(ben, "floor");
  await shows(ada, "#hall", "Ada, Ben");
  await shows(ben, "#hall", "Ada, Ben");

  // They bid against each other, and each sees the bid of the other one.
  for (const [bidder, other, name, step] of [[ada, ben, "Ada", 10], [ben, ada, "Ben", 1], [ada, ben, "Ada", 100]]) {
    const amount = (await highest(bidder)) + step;
    await click(bidder, `#bid-${step}`);
    await shows(bidder, "#highest", `${amount} by ${name}`);
    await shows(other, "#highest", `${amount} by ${name}`);
    await marks(bidder, "floor");
  }
  assert.equal(await highest(ben), await highest(ada));
  if (screenshot) await ben.screenshot({ path: screenshot });

  // One page is closed in the middle. The other one goes on, and bids.
  await ada.close();
  await shows(ben, "#news", "Ada has left.");
  await ben.waitForFunction(() => document.querySelector("#hall").textContent === "Ben", WAIT);
  const amount = (await highest(ben)) + 10;
  await click(ben, "#bid-10");
  await shows(ben, "#highest", `${amount} by Ben`);

  // Ada returns, and sees what is.
  const again = await open();
  await enter(again, "Ada");
  await marks(again, "floor");
  await shows(again, "#hall", "Ben, Ada");
  await shows(ben, "#news", "Ada has come.");

  // When there is no bid for long enough, the lot is sold.
  await shows(again, "#news", "Sold to");
  await click(again, "#leave");
  await marks(again, "door");
  await shows(ben, "#news", "Ada has left.");
  assert.deepEqual(complaints, []);
  console.log(`ok: the auction in ${await running.version()}`);
} finally {
  await running.close();
}
