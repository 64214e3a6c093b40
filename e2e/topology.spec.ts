import { say } from '@farlink/contract/kit/text.ts';
import { type AgentNode, vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { reply } from './support/calls.ts';
import { mainMenu } from './support/login.ts';
import { loginAs, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { makeVno, sharedVno } from './support/world.ts';

const path = '/vno/topology';
const chart = (page: Page) => page.locator('.react-flow');
const card = (page: Page, name: string) => chart(page).getByRole('button').filter({ hasText: name });
const toggle = (page: Page, name: string) => chart(page).getByRole('button', { name: new RegExp(`(收起|展开|expand|collapse) ${name}`) });
const press = (page: Page, zh: string, en: string, lang: 'zh' | 'en') =>
  page.getByRole('main').getByRole('button', { name: say([zh, en], lang) });

/** Distance between the centre of a card and the centre of the chart. */
const offCentre = async (page: Page, found: Locator) => {
  const at = await found.boundingBox();
  const frame = await chart(page).boundingBox();
  if (!at || !frame) return Number.POSITIVE_INFINITY;
  return Math.hypot(at.x + at.width / 2 - frame.x - frame.width / 2, at.y + at.height / 2 - frame.y - frame.height / 2);
};

for (const lang of storyLangs(import.meta.url)) {
  test(`expands and collapses branches, one by one and all at once (${lang})`, async ({ page }) => {
    await loginAt(page, await as('bluesea'), path, { lang });
    await expect(card(page, '东海商船')).toContainText(say(['设备 4', '4 devices'], lang));
    await expect(card(page, '科考二队')).toBeVisible();
    await expect(toggle(page, '南海科考')).toHaveAttribute('aria-expanded', 'true');
    await toggle(page, '南海科考').click();
    await expect(card(page, '科考二队')).toHaveCount(0);
    await expect(toggle(page, '南海科考')).toHaveAttribute('aria-expanded', 'false');
    await expect(toggle(page, '南海科考')).toHaveText('1');
    await toggle(page, '蓝海卫通').click();
    await expect(chart(page).locator('.topo-card')).toHaveCount(1);
    await press(page, '全部展开', 'Expand all', lang).click();
    await expect(card(page, '科考二队')).toBeVisible();
    await press(page, '全部收起', 'Collapse all', lang).click();
    await expect(chart(page).locator('.topo-card')).toHaveCount(1);
  });

  test(`expands the path to each match in turn and centres it (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), path, { lang });
    await press(page, '全部收起', 'Collapse all', lang).click();
    const search = page.getByRole('main').getByRole('searchbox');
    await search.fill('科考');
    const status = page.getByRole('main').getByRole('status');
    await expect(status).toHaveText(say(['1/2', '1 of 2'], lang));
    const found = chart(page).locator('.topo-card[data-found=true]');
    await expect(found).toContainText('南海科考');
    await expect.poll(() => offCentre(page, found)).toBeLessThan(4);
    await search.press('Enter');
    await expect(found).toContainText('科考二队');
    await expect(status).toHaveText(say(['2/2', '2 of 2'], lang));
    await expect.poll(() => offCentre(page, found)).toBeLessThan(4);
    // A branch that the search has expanded can be collapsed again.
    await toggle(page, '南海科考').click();
    await expect(card(page, '科考二队')).toHaveCount(0);
    await search.fill('没有这个');
    await expect(status).toHaveText(say(['无匹配', 'No match'], lang));
  });
}

test('shows the full details of a VNO, and opens its platform', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const child = await makeVno(vno, { contacts: '船东代表' });
  await loginAt(page, vno, path);
  await card(page, child.name).click();
  const panel = page.getByRole('dialog');
  await expect(panel).toContainText('船东代表');
  const popup = page.context().waitForEvent('page');
  await panel.getByRole('button', { name: '进入VNO平台' }).click();
  const other = await popup;
  await expect(mainMenu(other)).toBeVisible();
  await expect(other.getByRole('banner')).toContainText(child.name);
  await expect(page.getByRole('banner')).toContainText(vno.name);
  await panel.getByRole('button', { name: '关闭' }).click();

  await card(page, vno.name).click();
  await expect(panel.getByRole('button', { name: '进入VNO平台' })).toHaveCount(0);
});

test('sets any VNO as the root, also by URL', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), path);
  await choose(page.getByRole('main'), '根节点VNO', '南海科考');
  await expect(card(page, '蓝海卫通')).toHaveCount(0);
  await expect(card(page, '科考二队')).toBeVisible();
  await page.reload();
  await expect(card(page, '科考二队')).toBeVisible();
  await expect(card(page, '蓝海卫通')).toHaveCount(0);
  await page.getByRole('main').getByRole('button', { name: '返回列表' }).click();
  await expect(page).toHaveURL(/\/vno\/list$/);
});

const nodeOf = (id: number, name: string, agent_level: number, children: AgentNode[]): AgentNode => ({
  id,
  name,
  username: name,
  code: `C${id}`,
  parent_id: null,
  disabled: false,
  takes_children: true,
  agent_level,
  agent_mode: 1,
  child_count: children.length,
  device_count: 3,
  card_count: 0,
  create_at: 1_700_000_000,
  children,
});
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
/** 1 + 20 + 180 + 1,800 VNOs. */
const large = nodeOf(
  1,
  'Root',
  0,
  range(20).map((a) =>
    nodeOf(
      100 + a,
      `East ${a}`,
      1,
      range(9).map((b) =>
        nodeOf(
          1000 + a * 9 + b,
          `Fleet ${a}-${b}`,
          2,
          range(10).map((c) => nodeOf(10_000 + (a * 9 + b) * 10 + c, `Ship ${a}-${b}-${c}`, 3, [])),
        ),
      ),
    ),
  ),
);

test('handles 2,000 VNOs: expand all, search, move and zoom', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await as('bluesea'));
  await reply(page, vnoCalls.topology, { list: [large] });
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => Math.round(e.duration)))).observe({ type: 'longtask' });
  });
  await page.goto(path);
  await expect(card(page, 'Root')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: '全部展开' }).click();
  await expect(card(page, 'Ship').first()).toBeVisible();
  // Only visible cards are rendered.
  expect(await chart(page).locator('.topo-card').count()).toBeLessThan(120);

  const search = page.getByRole('main').getByRole('searchbox');
  await search.pressSequentially('Ship 19-8-9');
  const found = chart(page).locator('.topo-card[data-found=true]');
  await expect(found).toContainText('Ship 19-8-9');
  await expect.poll(() => offCentre(page, found)).toBeLessThan(4);

  const before = await found.boundingBox();
  await chart(page)
    .locator('.react-flow__pane')
    .hover({ position: { x: 40, y: 40 } });
  await page.mouse.down();
  await page.mouse.move(600, 300, { steps: 10 });
  await page.mouse.up();
  await expect.poll(async () => (await found.boundingBox())?.x).not.toBe(before?.x);
  for (let i = 0; i < 5; i++) await page.mouse.wheel(0, 200);
  await expect.poll(async () => (await found.boundingBox())?.width ?? 0).toBeLessThan(before?.width ?? 0);
  await search.fill('');
  await page.getByRole('main').getByRole('button', { name: '全部收起' }).click();
  await expect(card(page, 'Root')).toBeVisible();

  // The toggled card stays under the pointer, regardless of new cards above it.
  await toggle(page, 'Root').click();
  const middle = toggle(page, 'East 10');
  const box = await middle.boundingBox();
  await middle.click();
  await expect(card(page, 'Fleet 10-4')).toBeVisible();
  await expect.poll(async () => (await middle.boundingBox())?.y).toBeCloseTo(box?.y ?? 0, 0);
  const tasks = await page.evaluate(() => Reflect.get(window, 'longTasks'));
  test.info().annotations.push({ type: 'long tasks (ms)', description: JSON.stringify(tasks) });
});

test('the topology has no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), path);
  await expect(card(page, '东海商船')).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
