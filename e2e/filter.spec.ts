import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls, operatorLog } from '@farlink/contract/log/operator-log.ts';
import { vno, vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { callsTo, inputOf, nextCall } from './support/calls.ts';
import { dialog, loginAs, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';

const texts = {
  filter: ['筛选', 'Filter'],
  query: ['查询', 'Search'],
  reset: ['重置', 'Reset'],
  settings: ['筛选设置', 'Filter settings'],
  recommend: ['推荐', 'Recommend'],
  save: ['确定', 'Confirm'],
} as const satisfies Record<string, Text>;

// The demo VNO BlueSea has five VNOs, including itself; no test changes them.
const all = 5;

const button = (page: Page, text: Text, lang: 'zh' | 'en' = 'zh') =>
  page.getByRole('main').getByRole('button', { name: say(text, lang), exact: true });
const field = (page: Page, label: string) => page.locator('form').getByLabel(label, { exact: true });
const shownLabels = (page: Page) => page.locator('main form').first().locator('label').allInnerTexts();
const labelsOf = (names: readonly string[], lang: 'zh' | 'en') =>
  names.map((name) => say(Object.entries(vno.fields).find(([key]) => key === name)?.[1].label ?? ['', ''], lang));

for (const lang of storyLangs(import.meta.url)) {
  test(`toggles the filter panel, and resets all filters on close (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list?name=East&page=1', { lang });
    await expect(rows(page)).toHaveCount(1);
    await expect(field(page, say(vno.fields.name.label, lang))).toHaveValue('East');
    const toggle = button(page, texts.filter, lang);
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');

    const pendingCall = nextCall(page, vnoCalls.list);
    await toggle.click();
    expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10' });
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await expect(button(page, texts.query, lang)).toBeHidden();
    await expect(rows(page)).toHaveCount(all);
    await expect(page).not.toHaveURL(/name=/);

    await toggle.click();
    await expect(button(page, texts.query, lang)).toBeVisible();
    await expect(button(page, texts.reset, lang)).toBeVisible();
    await expect(field(page, say(vno.fields.name.label, lang))).toHaveValue('');
  });

  test(`shows five filters by default, and 'recommend' selects the first five again (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list', { lang });
    const first = labelsOf(vno.filters.slice(0, limits.filterColumns), lang);
    await expect(rows(page)).toHaveCount(all);
    expect(await shownLabels(page)).toEqual(first);

    await button(page, texts.settings, lang).click();
    const box = dialog(page, say(texts.settings, lang));
    await expect(box.getByRole('checkbox')).toHaveCount(vno.filters.length);
    await expect(box.getByRole('checkbox', { checked: true })).toHaveCount(limits.filterColumns);
    await box.getByLabel(say(vno.fields.phone.label, lang), { exact: true }).check();
    await box.getByLabel(say(vno.fields.name.label, lang), { exact: true }).uncheck();
    await box.getByRole('button', { name: say(texts.save, lang), exact: true }).click();
    await expect(box).toBeHidden();
    expect(await shownLabels(page)).toEqual(labelsOf(['username', 'code', 'parent_id', 'create_at', 'phone'], lang));

    await button(page, texts.settings, lang).click();
    await box.getByRole('button', { name: say(texts.recommend, lang) }).click();
    await box.getByRole('button', { name: say(texts.save, lang), exact: true }).click();
    await expect(box).toBeHidden();
    expect(await shownLabels(page)).toEqual(first);
  });
}

test('stores the chosen filters under search-{route} per user', { tag: '@all' }, async ({ page, context }) => {
  const me = await as('bluesea');
  await loginAt(page, me, '/vno/list');
  await button(page, texts.settings).click();
  const box = dialog(page, say(texts.settings, 'zh'));
  for (const name of ['登录账号', '商户码', '上级VNO', '创建时间']) await box.getByLabel(name, { exact: true }).uncheck();
  await box.getByLabel('设备数', { exact: true }).check();
  await box.getByRole('button', { name: '确定', exact: true }).click();
  await expect(box).toBeHidden();

  const storedFilters = await page.evaluate(() => localStorage.getItem('search-vnoList'));
  expect(JSON.parse(storedFilters ?? '')).toEqual({ [me.session.uid]: ['name', 'device_count'] });
  await page.reload();
  await expect(rows(page)).toHaveCount(all);
  expect(await shownLabels(page)).toEqual(['VNO名称', '设备数']);

  const other = await context.newPage();
  await loginAt(other, await as('bluesea_ops'), '/vno/list');
  await expect(rows(other)).toHaveCount(all);
  expect(await shownLabels(other)).toHaveLength(limits.filterColumns);
});

test('searches from page 1 by button and Enter, and reset clears the filters', async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list?page=1&limit=10');
  await expect(rows(page)).toHaveCount(all);

  await field(page, 'VNO名称').fill('东海');
  await button(page, texts.query).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, 'eastsea')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('name')).toBe('东海');

  await field(page, 'VNO名称').fill('南海');
  await field(page, 'VNO名称').press('Enter');
  await expect(rowOf(page, 'southlab')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);

  const pendingCall = nextCall(page, vnoCalls.list);
  await button(page, texts.reset).click();
  expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10' });
  await expect(field(page, 'VNO名称')).toHaveValue('');
  await expect(rows(page)).toHaveCount(all);
});

test('sends the request again for the same filters', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  const pendingCall = nextCall(page, vnoCalls.list);
  await button(page, texts.query).click();
  expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10' });
});

test('trims a text on blur, and omits blank filters', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  const name = field(page, 'VNO名称');
  await name.fill('  东海  ');
  await name.blur();
  await expect(name).toHaveValue('东海');
  await field(page, '登录账号').fill('   ');
  const pendingCall = nextCall(page, vnoCalls.list);
  await button(page, texts.query).click();
  expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10', name: '东海' });
});

test('sends the operator of a number only with the number', { tag: '@all' }, async ({ page }) => {
  const me = await as('bluesea');
  await loginAs(page, me);
  await page.addInitScript(
    (uid) => localStorage.setItem('search-vnoList', JSON.stringify({ [uid]: ['name', 'device_count'] })),
    me.session.uid,
  );
  await page.goto('/vno/list');
  await expect(rows(page)).toHaveCount(all);
  await field(page, '设备数').fill('2');
  await choose(page.locator('main form'), /^设备数/, '大于');
  const pendingCall = nextCall(page, vnoCalls.list);
  await button(page, texts.query).click();
  expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10', device_count: '2', cond_device_count: 'gt' });
  await expect(rows(page)).toHaveCount(2);

  await field(page, '设备数').fill('');
  await field(page, 'VNO名称').fill('海');
  const again = nextCall(page, vnoCalls.list);
  await button(page, texts.query).click();
  expect(inputOf(await again)).toEqual({ page: '1', limit: '10', name: '海' });
});

test('does not apply a hidden filter', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list?name=East');
  await expect(rows(page)).toHaveCount(1);
  await button(page, texts.settings).click();
  const box = dialog(page, say(texts.settings, 'zh'));
  await box.getByLabel('VNO名称', { exact: true }).uncheck();
  await box.getByRole('button', { name: '确定', exact: true }).click();
  await button(page, texts.query).click();
  await expect(rows(page)).toHaveCount(all);
});

test('offers a tree in a filter, including the VNO that a form cannot choose', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  await choose(page.locator('main form'), '上级VNO', '蓝海卫通');
  await button(page, texts.query).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rowOf(page, 'fleet2')).toHaveCount(0);
});

for (const lang of storyLangs(import.meta.url)) {
  test(`requires start before end, and at most ${limits.queryMonths} months (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/log/system', { lang });
    const label = say(operatorLog.fields.create_at.label, lang);
    const alert = page.locator('main form').getByRole('alert');
    const pendingCall = callsTo(page, logCalls.own);
    await field(page, label).click();
    const start = page.locator('main form input[date-range=start]');
    const end = page.locator('main form input[date-range=end]');
    const searchTimes = async (from: string, to: string) => {
      await start.fill(from);
      await start.press('Enter');
      await end.fill(to);
      await end.press('Enter');
    };
    await searchTimes('2026-03-05', '2026-03-01');
    await expect(alert).toHaveText(say(['开始时间必须早于结束时间', 'Start time must be before end time'], lang));
    const before = pendingCall.length;
    await button(page, texts.query, lang).click();
    await searchTimes('2026-03-01', '2026-06-30');
    await expect(alert).toHaveText(say(['查询时间跨度不能超过3个月', 'The query range may not exceed 3 months'], lang));
    await button(page, texts.query, lang).click();
    expect(pendingCall.length).toBe(before);

    await searchTimes('2026-03-01', '2026-05-28');
    await expect(alert).toHaveCount(0);
    const next = nextCall(page, logCalls.own);
    await button(page, texts.query, lang).click();
    expect(inputOf(await next)).toMatchObject({
      create_at_start: String(Date.parse('2026-03-01T00:00:00+08:00') / 1000),
      create_at_end: String(Date.parse('2026-05-28T23:59:59+08:00') / 1000),
    });
  });
}

test('the filter settings have no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  await button(page, texts.settings).click();
  await expect(dialog(page, say(texts.settings, 'zh'))).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
