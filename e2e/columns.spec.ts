import { say } from '@farlink/contract/kit/text.ts';
import { vno } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { loginAs, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { head, rowOf, rows } from './support/table.ts';
import { test } from './support/test.ts';

// The demo VNO BlueSea has five VNOs, including itself; no test changes them.
const all = 5;
const main = (page: Page) => page.getByRole('main');

test('formats a value by its field: coloured tag, right-aligned number, time, dash for empty, monospace code', { tag: '@all' }, async ({
  page,
}) => {
  const me = await as('bluesea');
  await loginAs(page, me);
  const names = ['name', 'code', 'parent_name', 'device_count', 'agent_mode', 'agent_child_enable', 'create_at'];
  await page.addInitScript(([uid, list]) => localStorage.setItem('columns-vnoList', JSON.stringify({ [uid]: list })), [
    me.session.uid,
    names,
  ] as const);
  await page.goto('/vno/list');
  const cruise = rowOf(page, 'Cruise').getByRole('cell');
  await expect(cruise.nth(4).locator('.tag.hue-gold')).toHaveText('UY');
  await expect(cruise.nth(5)).toHaveText('否');
  await expect(rowOf(page, 'Satcom').getByRole('cell').first()).toBeVisible();
  await expect(cruise.nth(3)).toHaveCSS('text-align', 'right');
  await expect(head(page, '设备数')).toHaveCSS('text-align', 'right');
  await expect(cruise.nth(2)).toHaveCSS('text-align', 'left');
  await expect(cruise.nth(1).locator('.mono')).toHaveText('CRUISE88');
  await expect(cruise.nth(6)).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  // A VNO cannot see its own parent.
  await expect(rows(page).filter({ hasText: 'BLUESEA8' }).getByRole('cell').nth(2)).toHaveText('-');
});

test('aligns a header with its cells and does not clip it', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  const misaligned = await page.locator('main table').evaluate((table) => {
    const inner = (cell: Element) => {
      const range = document.createRange();
      range.selectNodeContents(cell.querySelector('.clip') ?? cell);
      return range.getBoundingClientRect();
    };
    const cells = [...table.querySelectorAll('tbody tr:first-child td')];
    return [...table.querySelectorAll('th')].flatMap((th, i) => {
      const cell = cells[i];
      const label = th.querySelector('.clip');
      if (!cell || !label) return [];
      const isRight = getComputedStyle(cell).textAlign === 'right';
      const off = isRight ? 0 : Math.abs(inner(th).left - inner(cell).left);
      return off > 1 || label.scrollWidth > label.clientWidth ? [`${th.textContent}: off by ${off}`] : [];
    });
  });
  expect(misaligned).toEqual([]);
});

test('shows clipped text in a tooltip, and explains a header', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  const tip = page.getByRole('tooltip');
  await rowOf(page, 'fleet2').getByText('科考二队 Research Fleet Two').first().hover();
  await expect(tip).toHaveText('科考二队 Research Fleet Two');
  await rowOf(page, 'fleet2').getByText('沈知行').hover();
  await expect(tip).toHaveCount(0);
  await head(page, '商户码').getByRole('img', { name: '留空由系统生成' }).focus();
  await expect(tip).toHaveText('留空由系统生成');
  await rowOf(page, 'fleet2').getByRole('cell').nth(8).locator('span').hover();
  await expect(tip).toHaveText(/(前|年) · UTC\+8$/);
});

for (const lang of storyLangs(import.meta.url)) {
  test(`stores and restores the column selection per user, and keeps at least one column (${lang})`, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/vno/list', { lang });
    const label = (name: 'name' | 'phone' | 'email') => say(vno.fields[name].label, lang);
    await expect(head(page, label('email'))).toHaveCount(0);
    await main(page)
      .getByRole('button', { name: say(['列设置', 'Columns'], lang) })
      .click();
    const chooser = page.locator('.column-chooser');
    await expect(chooser.getByRole('checkbox')).toHaveCount(vno.columns.length);
    await chooser.getByLabel(label('email'), { exact: true }).check();
    await chooser.getByLabel(label('phone'), { exact: true }).uncheck();
    await expect(head(page, label('email'))).toBeVisible();
    await page.reload();
    await expect(head(page, label('email'))).toBeVisible();
    await expect(head(page, label('phone'))).toHaveCount(0);

    await main(page)
      .getByRole('button', { name: say(['列设置', 'Columns'], lang) })
      .click();
    for (const box of await chooser
      .getByRole('checkbox', { checked: true })
      .all()
      .then((boxes) => boxes.slice(1).reverse()))
      await box.uncheck();
    await expect(chooser.getByRole('checkbox', { checked: true })).toBeDisabled();
    await chooser.getByRole('button', { name: say(['恢复默认', 'Restore defaults'], lang) }).click();
    await expect(head(page, label('phone'))).toBeVisible();
    await expect(head(page, label('email'))).toHaveCount(0);
  });
}

test('stores the compact row density', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  const height = async () => (await rowOf(page, 'fleet2').boundingBox())?.height;
  await expect(rows(page)).toHaveCount(all);
  expect(await height()).toBe(42);
  await main(page).getByRole('button', { name: '紧凑' }).click();
  await expect.poll(height).toBe(36);
  await page.reload();
  await expect.poll(height).toBe(36);
  await main(page).getByRole('button', { name: '宽松' }).click();
  await expect.poll(height).toBe(42);
});

test('resizes a column by dragging', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/list');
  await expect(rows(page)).toHaveCount(all);
  const width = async () => (await head(page, 'VNO名称').boundingBox())?.width ?? 0;
  const before = await width();
  await head(page, 'VNO名称').locator('.resizer').hover();
  await page.mouse.down();
  await page.mouse.move(700, 200, { steps: 3 });
  await page.mouse.up();
  expect(await width()).toBeGreaterThan(before + 100);
  await expect(head(page, 'VNO名称')).not.toHaveAttribute('aria-sort');
});
