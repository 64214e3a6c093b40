import { configCalls } from '@farlink/contract/config/config.ts';
import { watchCalls } from '@farlink/contract/config/watch.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { type Lang, langs, say } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { initialValues } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayMenu, gatewayPages } from '@farlink/gateway/menu.ts';
import { expect, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { loginAt } from './support/login-as.ts';
import { openPath } from './support/navigate.ts';
import { isQuick, isSoak } from './support/story-langs.ts';
import { test } from './support/test.ts';

/** Labels of the visible fields; a star marks required ones. */
const shownFields = (page: Page, scope: string) =>
  page.evaluate((at) => {
    const fields = [...document.querySelectorAll(`${at} .doc-fields > .doc-grid > .doc-field > .doc-label > :first-child`)];
    return fields.map((label) => `${label.classList.contains('needed') ? '*' : ''}${label.textContent}`);
  }, scope);

const isNeeded = ({ required, rules }: Field) => required || rules.some(({ name }) => name === 'ticked');

const expectedFields = ({ fields }: GatewayPage, values: Values, lang: Lang) =>
  Object.values(fields)
    .filter((field) => field.when?.(values) !== false)
    .map((field) => `${isNeeded(field) && !field.reported ? '*' : ''}${say(field.label, lang)}`);

/** Short poll intervals, because the test opens 150 pages. */
const often = { intervals: [20, 40, 80, 160] };

/** A shortcut opens its target page. */
const shownAs = (page: GatewayPage) => (page.quick && gatewayPages.get(page.quick)) || page;

/** Half of the pages in each language; without `--all` one in sixteen, in Chinese. A soak opens all pages in both. */
const pagesIn = (lang: Lang) =>
  gatewayMenu.flatMap(({ pages }) => pages).filter((_, i) => isSoak || i % (isQuick ? 16 : 2) === langs.indexOf(lang));

for (const lang of langs)
  test(`opens the pages of a gateway in ${lang} and shows the fields of their schemas`, { tag: lang === 'zh' ? [] : '@all' }, async ({
    page,
  }) => {
    const [admin, gateway] = await Promise.all([as('admin'), newGateway()]);
    const output: string[] = [];
    page.on('console', (message) => message.type() === 'error' && output.push(message.text()));
    page.on('pageerror', (error) => output.push(String(error)));
    await loginAt(page, admin, `/device/gateway-config/${gateway.deviceId}`, { lang });
    await expect(page.locator('.config-tree')).toBeVisible();
    // All pages are requested first, so their data is available when they are opened.
    const livePages = gatewayMenu.flatMap(({ pages }) => pages.filter(({ kind }) => kind === 'status' || kind === 'log'));
    await Promise.all(livePages.map(({ key }) => admin.call(watchCalls.watch, { device_id: gateway.deviceId, page: key, ask: true })));
    const main = page.locator('.config-main');
    const counts = new Map<string, number>();

    for (const declared of pagesIn(lang)) {
      const shown = shownAs(declared);
      await test.step(declared.key, async () => {
        await openPath(page, `?page=${declared.key}`);
        await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText(say(shown.title, lang));
        counts.set(declared.kind, (counts.get(declared.kind) ?? 0) + 1);
        if (shown.kind === 'form') {
          const { doc } = await admin.call(configCalls.page, { device_id: gateway.deviceId, page: shown.key });
          await expect.poll(() => shownFields(page, '.config-main'), often).toEqual(expectedFields(shown, doc, lang));
        } else if (shown.kind === 'list') {
          await main.getByRole('button', { name: lang === 'zh' ? '新增' : 'Add', exact: true }).click();
          await expect
            .poll(() => shownFields(page, '[role=dialog]'), often)
            .toEqual(expectedFields(shown, initialValues(shown.fields), lang));
          await page
            .getByRole('dialog')
            .getByRole('button', { name: lang === 'zh' ? '取消' : 'Cancel', exact: true })
            .click();
          await expect(page.getByRole('dialog')).toHaveCount(0);
        } else if (shown.kind === 'status' || shown.kind === 'log') {
          // Data of the gateway: a table, a list of facts, or an empty state.
          await expect(main.locator('thead, dl, .empty-state').first()).toBeVisible();
          const labels = Object.values(shown.fields).map((field) => say(field.label, lang));
          const heads = await main.locator('thead th .label, dt').allTextContents();
          // Some columns are hidden by default; none is unknown.
          expect(heads.filter((head) => !labels.includes(head))).toEqual([]);
        } else {
          const expected = expectedFields(shown, initialValues(shown.fields), lang);
          // A wizard shows its fields step by step.
          const visibleExpected = shown.kind === 'wizard' ? expected.slice(0, 2) : expected;
          const visibleFields = async () => (await shownFields(page, '.config-main')).slice(0, visibleExpected.length || 1);
          await expect.poll(visibleFields, often).toEqual(visibleExpected);
        }
      });
    }
    expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBe(pagesIn(lang).length);
    expect(output).toEqual([]);
  });
