// Waits until a condition on the state holds, and returns the state.
export async function until({ page, state }, condition, seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await page.waitForTimeout(50)) {
    const now = await state();
    if (condition(now)) return now;
  }
  throw new Error(`never came to ${condition}; last: ${JSON.stringify({ ...(await state()), shown: undefined, settings: undefined })}`);
}
