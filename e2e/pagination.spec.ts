import { say } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { expect, type Page } from '@playwright/test';
import { inputOf, nextCall, queryOf } from './support/calls.ts';
import { dialog, loginAs, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { column, head, heads, pageNumbers, rowOf, rows, runAction, toPage, total } from './support/table.ts';
import { test } from './support/test.ts';
import { makePrefixes, newVno, type Operator, unique } from './support/world.ts';

const count = 65;
const namesOf = (start: string, n: number) => Array.from({ length: n }, (_, i) => `${start}${String(i).padStart(2, '0')}`);

let made: Promise<Operator> | undefined;
/** A VNO with seven pages of prefixes; the tests of one worker only read them. */
const longList = () => {
  made ??= newVno().then(async (vno) => {
    await makePrefixes(vno, namesOf(unique('p').slice(0, 6), count));
    return vno;
  });
  return made;
};

const path = '/vno/prefix?orderby=prefix+asc';
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

for (const lang of storyLangs(import.meta.url)) {
  test(`shows total, previous, pager, next, sizes and jumper below the table (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await longList(), path, { lang });
    await expect(rows(page)).toHaveCount(limits.limit);
    await expect(total(page)).toHaveText(say(['共 65 条', '65 in total'], lang));
    const order = lang === 'zh' ? /共 65 条.*1.*2.*3.*7.*10 条\/页.*跳至/ : /65 in total.*1.*2.*3.*7.*10 \/ page.*Go to/;
    await expect(page.locator('.pager')).toHaveText(order);
    await expect(page.getByTitle(say(['上一页', 'Previous Page'], lang))).toBeVisible();
    await expect(page.getByTitle(say(['下一页', 'Next Page'], lang))).toBeVisible();
  });
}

test('shows at most five page numbers, and moves one page by previous and next', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await longList(), path);
  await expect(rows(page)).toHaveCount(limits.limit);
  expect(await pageNumbers(page)).toEqual([1, 2, 3, 7]);
  const third = nextCall(page, prefixCalls.list);
  await toPage(page, 3);
  await third;
  const pendingCall = nextCall(page, prefixCalls.list);
  await page.getByTitle('下一页').click();
  expect(inputOf(await pendingCall)).toEqual({ page: '4', limit: '10', orderby: 'prefix asc' });
  await expect.poll(() => pageNumbers(page)).toEqual([1, 3, 4, 5, 7]);
  expect((await pageNumbers(page)).length).toBe(limits.pagerCount);
  await page.getByTitle('上一页').click();
  await expect.poll(() => param(page, 'page')).toBe('3');
});

test('jumps to the entered page', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await longList(), path);
  await expect(rows(page)).toHaveCount(limits.limit);
  const jumper = page.locator('.pager').getByRole('textbox');
  await jumper.fill('7');
  await jumper.press('Enter');
  await expect(rows(page)).toHaveCount(count - 6 * limits.limit);
  expect(param(page, 'page')).toBe('7');
});

test('offers the sizes 10, 20, 50 and 100, and returns to page 1 for a new size', async ({ page }) => {
  await loginAt(page, await longList(), `${path}&page=5`);
  await expect(rows(page)).toHaveCount(limits.limit);
  const sizes = page.locator('.pager').getByRole('combobox');
  await expect(sizes.locator('option')).toHaveText(limits.pageSizes.map((n) => `${n} 条/页`));

  const pendingCall = nextCall(page, prefixCalls.list);
  await sizes.selectOption('20');
  expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '20', orderby: 'prefix asc' });
  await expect(rows(page)).toHaveCount(20);
  expect(param(page, 'page')).toBeNull();
  await sizes.selectOption('100');
  await expect(rows(page)).toHaveCount(count);
});

test('sorts a column ascending, descending and not at all', { tag: '@all' }, async ({ page }) => {
  const vno = await longList();
  await loginAt(page, vno, '/vno/prefix');
  await expect(rows(page)).toHaveCount(limits.limit);
  const prefix = head(page, '账号前缀');
  const sortBy = async () => {
    const pendingCall = nextCall(page, prefixCalls.list);
    await prefix.getByRole('button').click();
    return queryOf(await pendingCall).orderby;
  };
  await expect(prefix).not.toHaveAttribute('aria-sort');
  expect(await sortBy()).toBe('prefix asc');
  await expect(prefix).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => (await column(page, '账号前缀'))[0]).toMatch(/00$/);
  expect(await sortBy()).toBe('prefix desc');
  await expect(prefix).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => (await column(page, '账号前缀'))[0]).toMatch(/64$/);
  await prefix.getByRole('button').click();
  await expect(prefix).not.toHaveAttribute('aria-sort');
  expect(param(page, 'orderby')).toBeNull();
});

test('sorts one column at a time, and has no button for unsortable columns', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await longList(), path);
  await head(page, '已用账号数').getByRole('button').click();
  await expect(head(page, '已用账号数')).toHaveAttribute('aria-sort', 'ascending');
  await expect(heads(page).and(page.locator('[aria-sort]'))).toHaveCount(1);
  await expect(head(page, '备注').getByRole('button')).toHaveCount(0);
});

test('shows the previous page after the last row of the last page is deleted', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const names = namesOf(unique('q').slice(0, 6), 11);
  await makePrefixes(vno, names);
  await loginAt(page, vno, `${path}&page=2`);
  await expect(rows(page)).toHaveCount(1);
  const removed = nextCall(page, prefixCalls.remove);
  await runAction(rowOf(page, names[10] ?? ''), '删除');
  await dialog(page).getByRole('button', { name: '确定' }).click();
  const request = await removed;
  expect(new URL(request.url()).pathname).toMatch(/^\/agt\/v1\/agent\/prefix\/\d+$/);
  expect(request.postData()).toBeNull();
  await expect(toast(page)).toHaveText('删除成功');
  await expect(rows(page)).toHaveCount(10);
  await expect(total(page)).toHaveText('共 10 条');
  expect(param(page, 'page')).toBeNull();
});

test('shows the last page for a URL beyond it', { tag: '@all' }, async ({ page }) => {
  await loginAs(page, await longList());
  await page.goto(`${path}&page=40`);
  await expect(rows(page)).toHaveCount(5);
  expect(param(page, 'page')).toBe('7');
});

test('turns a page by keyboard', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await longList(), path);
  await expect(rows(page)).toHaveCount(limits.limit);
  await page.locator('.pager').getByTitle('2', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => param(page, 'page')).toBe('2');
});
