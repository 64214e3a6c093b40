import { say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { addressOf, delayCall, inputOf, nextCall, queryOf } from './support/calls.ts';
import { loginAs, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { column, head, heads, rows, total } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { newVno } from './support/world.ts';

// The demo VNO BlueSea has five VNOs, including itself; no test changes them.
const all = 5;
const main = (page: Page) => page.getByRole('main');

test.describe('list requests', () => {
  for (const lang of storyLangs(import.meta.url)) {
    test(`sends page 1, limit 10, language and user, the token in the header, and no empty values (${lang})`, async ({ page }) => {
      const me = await as('bluesea');
      await loginAs(page, me, { lang });
      const pendingCall = nextCall(page, vnoCalls.list);
      await page.goto('/vno/list');
      const request = await pendingCall;
      expect(new URL(request.url()).pathname).toBe('/agt/v1/agent');
      expect(queryOf(request)).toEqual({
        page: String(limits.page),
        limit: String(limits.limit),
        lang,
        uid: String(me.session.uid),
        agent_id: String(me.session.agent_id),
      });
      expect(request.headers().authorization).toBe(me.session.token);
      expect(request.postData()).toBeNull();
      await expect(rows(page)).toHaveCount(all);
    });
  }

  test('sends the parameters of the page, such as the account kind', { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'));
    const pendingCall = nextCall(page, staffCalls.list);
    await page.goto('/permission/customer');
    expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10', kind: 'sub' });
  });

  test('requests options with page 1 and limit 10000, and shows a failure in the list without a toast', { tag: '@all' }, async ({
    page,
  }) => {
    await loginAs(page, await as('bluesea'));
    await page.route(addressOf(vnoCalls.topology), (route) => route.abort());
    const pendingCall = nextCall(page, vnoCalls.topology);
    await page.goto('/vno/list');
    expect(inputOf(await pendingCall)).toEqual({ page: String(limits.optionPage), limit: String(limits.optionLimit) });
    await expect(rows(page)).toHaveCount(all);
    await main(page).getByRole('combobox', { name: '上级VNO' }).click();
    await expect(page.locator('.ant-select-dropdown').getByText('选项加载失败')).toBeVisible();
    await expect(toast(page)).toHaveCount(0);
  });
});

test.describe('list URL', () => {
  const path = '/vno/list?name=%E6%B5%B7&orderby=device_count+desc&limit=20';
  /** Other tests add devices, but the order stays. */
  const isOrdered = async (list: Page) => {
    const counts = (await column(list, '设备数')).map(Number);
    expect(counts).toHaveLength(4);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  };

  test('keeps filters, sort, page and size after a reload and in another browser', async ({ page, browser }) => {
    await loginAt(page, await as('bluesea'), '/vno/list');
    await page.getByLabel('VNO名称', { exact: true }).fill('海');
    await page.keyboard.press('Enter');
    await head(page, '设备数').getByRole('button').click();
    await expect(head(page, '设备数')).toHaveAttribute('aria-sort', 'ascending');
    await head(page, '设备数').getByRole('button').click();
    await expect(head(page, '设备数')).toHaveAttribute('aria-sort', 'descending');
    const shared = page.url();
    expect(Object.fromEntries(new URL(shared).searchParams)).toEqual({ name: '海', orderby: 'device_count desc' });

    await page.reload();
    await expect(head(page, '设备数')).toHaveAttribute('aria-sort', 'descending');
    await expect(page.getByLabel('VNO名称', { exact: true })).toHaveValue('海');
    await expect(() => isOrdered(page)).toPass();

    const elsewhere = await (await browser.newContext()).newPage();
    await loginAt(elsewhere, await as('bluesea_ops'), path);
    await expect(() => isOrdered(elsewhere)).toPass();
    await expect(elsewhere.locator('.pager')).toContainText('20 条/页');
    await elsewhere.context().close();
  });

  test('returns to the previous list by the back button', { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list');
    await page.getByLabel('VNO名称', { exact: true }).fill('东海');
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveCount(1);
    await page.goBack();
    await expect(rows(page)).toHaveCount(all);
    await expect(page.getByLabel('VNO名称', { exact: true })).toHaveValue('');
  });

  test('ignores unknown parameters', { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'));
    const pendingCall = nextCall(page, vnoCalls.list);
    await page.goto('/vno/list?page=-3&limit=7&orderby=password+asc&uid=1&nonsense=x');
    expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10' });
    await expect(rows(page)).toHaveCount(all);
  });
});

test.describe('list with keyboard only', () => {
  test('reaches filters, sort, row menu and detail', { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list');
    await expect(rows(page)).toHaveCount(all);
    const focused = page.locator(':focus');
    const tabTo = async (name: string | RegExp) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const found = await focused.evaluate(
          (e) => `${e.getAttribute('aria-label') ?? ''} ${e.textContent} ${e.getAttribute('title') ?? ''}`,
        );
        if (typeof name === 'string' ? found.includes(name) : name.test(found)) return;
      }
      throw new Error(`${name} was not reached`);
    };
    await page.getByLabel('VNO名称', { exact: true }).focus();
    await tabTo('查询');
    await tabTo('重置');
    await tabTo('筛选设置');
    await tabTo('设备数');
    await page.keyboard.press('Enter');
    await expect(head(page, '设备数')).toHaveAttribute('aria-sort', 'ascending');
    // Waits until the rows are sorted, so that the menu opens at its final position.
    const counts = async () => (await column(page, '设备数')).map(Number);
    await expect.poll(async () => (await counts()).every((n, i, all) => i === 0 || n >= (all[i - 1] ?? 0))).toBe(true);
    await tabTo(/^更多 /);
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(menu.getByRole('menuitem').nth(1)).toBeFocused();
    await page.keyboard.press('End');
    await expect(menu.getByRole('menuitem').last()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(focused).toHaveAccessibleName(/^更多 /);
    await tabTo(/^详情 /);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: /详情/ })).toBeVisible();
  });
});

test.describe('list while loading, empty or failed', () => {
  test('shows placeholder rows during the first load', { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'));
    const release = await delayCall(page, vnoCalls.list);
    await page.goto('/vno/list');
    const table = page.locator('main table');
    await expect(table).toHaveAttribute('aria-busy', 'true');
    await expect(rows(page)).toHaveCount(limits.limit);
    await expect(table.locator('.skeleton').first()).toBeVisible();
    await expect(heads(page).first()).toHaveText('VNO名称');
    release();
    await expect(rows(page)).toHaveCount(all);
    await expect(table).toHaveAttribute('aria-busy', 'false');
    await expect(table.locator('.skeleton')).toHaveCount(0);
  });

  test('keeps the old rows dimmed while new ones load, without an overlay', { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list');
    await expect(rows(page)).toHaveCount(all);
    const release = await delayCall(page, vnoCalls.list);
    await main(page).getByRole('button', { name: '刷新' }).click();
    await expect(page.locator('.table-frame')).toHaveAttribute('data-dim', 'true');
    await expect(rows(page)).toHaveCount(all);
    await expect(page.locator('.overlay')).toHaveCount(0);
    release();
    await expect(page.locator('.table-frame')).toHaveAttribute('data-dim', 'false');
  });

  for (const lang of storyLangs(import.meta.url)) {
    test(`shows whether a list is empty or has no match (${lang})`, { tag: '@all' }, async ({ page }) => {
      await loginAt(page, await newVno(), '/vno/prefix', { lang });
      await expect(main(page).getByText(say(['暂无数据', 'No data yet'], lang))).toBeVisible();
      await expect(total(page)).toHaveText(say(['共 0 条', '0 in total'], lang));
      await main(page)
        .getByRole('searchbox', { name: say(['账号前缀', 'Prefix'], lang), exact: true })
        .fill('nowhere');
      await page.keyboard.press('Enter');
      await expect(main(page).getByText(say(['没有符合条件的数据', 'No record matches'], lang))).toBeVisible();
      await main(page)
        .getByRole('button', { name: say(['清空筛选', 'Clear filters'], lang) })
        .click();
      await expect(main(page).getByText(say(['暂无数据', 'No data yet'], lang))).toBeVisible();
      await expect(page).not.toHaveURL(/prefix=/);
      await page.goto(`/log/account-sync?lang=${lang}`);
      await expect(main(page).locator('.empty-state')).toContainText(
        say(['网关同步账号后显示在这里', 'when gateways synchronise accounts'], lang),
      );
    });

    test(`shows a failed load in the table without a toast, with a retry (${lang})`, { tag: '@all' }, async ({ page }) => {
      await loginAs(page, await as('bluesea'), { lang });
      await page.route(addressOf(vnoCalls.list), (route) => route.abort());
      await page.goto('/vno/list');
      await expect(main(page).getByText(say(['数据加载失败', 'The list could not be loaded'], lang))).toBeVisible();
      await expect(toast(page)).toHaveCount(0);
      await page.unroute(addressOf(vnoCalls.list));
      await main(page)
        .getByRole('button', { name: say(['重试', 'Retry'], lang) })
        .click();
      await expect(rows(page)).toHaveCount(all);
    });

    test(`shows that a total is capped, and counts exactly on request (${lang})`, { tag: '@all' }, async ({ page }) => {
      await loginAs(page, await as('bluesea'), { lang });
      await page.route(addressOf(logCalls.own), async (route) => {
        const reply = await (await route.fetch()).json();
        const exact = new URL(route.request().url()).searchParams.get('count') === 'exact';
        const data = exact ? { ...reply.data, total: 123_456, capped: undefined } : { ...reply.data, total: limits.countCap, capped: true };
        await route.fulfill({ json: { ...reply, data } });
      });
      await page.goto('/log/system');
      await expect(total(page)).toContainText(say(['共 10,000+ 条', '10,000+ in total'], lang));
      const pendingCall = nextCall(page, logCalls.own);
      await page.getByRole('button', { name: say(['精确计数', 'Count exactly'], lang) }).click();
      expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10', count: 'exact' });
      await expect(total(page)).toHaveText(say(['共 123,456 条', '123,456 in total'], lang));
    });
  }

  test('shows no toast when the list call is refused', { tag: '@all' }, async ({ page }) => {
    await loginAs(page, await as('bluesea'));
    await page.route(addressOf(vnoCalls.list), (route) => route.fulfill({ status: 500, json: { code: 10007, msg: 'x', data: null } }));
    await page.goto('/vno/list');
    await expect(main(page).getByText('数据加载失败')).toBeVisible();
    await expect(toast(page)).toHaveCount(0);
  });
});

test('a list has no serious violation of WCAG 2.2 AA', async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  await expectAccessibleInBothThemes(page, 'list');
});

test('a button below the pointer is readable in both themes', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  await page.locator('.filter-buttons .button[data-kind=default]').first().hover();
  await expectAccessibleInBothThemes(page);
});
