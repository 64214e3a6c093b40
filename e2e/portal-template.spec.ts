import { type Lang, langs, say } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { homeViews, panelViews } from '@farlink/portal/view.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Caller } from './support/api.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { pngFile } from './support/png.ts';
import { isSoak, storyLangs } from './support/story-langs.ts';
import { choose, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';
import { zipFile } from './support/zip.ts';

const theme = { primary: '#0f766e', background: '#ecfdf5', scheme: 'light', radius: 8, size: 'normal' };
const files = {
  'manifest.json': JSON.stringify({
    name: 'Harbour',
    version: '1.0.0',
    theme,
    blocks: [
      { id: 'header', kind: 'header', text: ['', ''], logo: 'images/logo.png' },
      { id: 'hello', kind: 'fragment', name: 'hello' },
      { id: 'login', kind: 'login', tone: 'card' },
    ],
  }),
  'style.css': '.hello{padding:1rem;border-radius:8px;background:#ffffff;color:#134e4a}',
  'fragments/hello.html': '<div class="hello"><p>Harbour wishes calm seas</p></div>',
  'images/logo.png': pngFile('logo.png', 190, 60, [15, 118, 110]).buffer,
};
const good = zipFile('harbour.zip', files);
const bad = zipFile('bad.zip', { ...files, 'fragments/hello.html': '<p>x</p>\n<p onclick="alert(1)">y</p>' });

const newPortal = async (by: Caller, name: string) => {
  const template_id = Number(Object.keys(await by.call(portalCalls.templateOption, { device_type: 'ship' }))[0]);
  return (await by.call(portalCalls.create, { name, template_id, device_type: 'ship', billing_type: 'charged' })).id;
};

const bar = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const uploadTo = async (page: Page, from: Locator, name: string, file: typeof good) => {
    await from.getByRole('button', { name: t('上传模板包', 'Upload template'), exact: true }).click();
    const form = dialog(page, t('上传门户模板', 'Upload portal template'));
    await input(form, t('模板名称', 'Template name')).fill(name);
    await form.locator('input[type=file]').setInputFiles(file);
    await choose(form, t('设备类型', 'Device type'), t('船载站', 'Ship-borne'));
    await confirm(form, lang);
    return form;
  };

  test(`creates a portal from an uploaded template, previews it, and refuses to delete the default (${lang})`, async ({ page }) => {
    const by = await newVno();
    const name = unique('门户');
    const template = unique('港湾');
    await loginAt(page, by, '/market/advert-temp', { lang });

    await bar(page, t('模板库', 'Template library')).click();
    const library = dialog(page, t('模板库', 'Template library'));
    await expect(library).toContainText(t('标准·船载站', 'Standard, ship'));
    await expectAccessible(page);
    const form = await uploadTo(page, library, template, bad);
    await expect(refusal(form, t('模板压缩包', 'Template package'))).toHaveText(
      t('fragments/hello.html 第2行：不允许使用 <p onclick>', 'fragments/hello.html, line 2: <p onclick> is not allowed'),
    );
    await form.locator('input[type=file]').setInputFiles(good);
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
    await expect(library.getByRole('row').filter({ hasText: template })).toBeVisible();
    await library
      .getByRole('button', { name: t('关闭', 'Close') })
      .first()
      .click();

    await bar(page, t('新增门户', 'New portal')).click();
    const create = dialog(page, t('新增门户', 'New portal'));
    await input(create, t('门户名称', 'Portal name')).fill(name);
    await choose(create, t('设备类型', 'Device type'), t('船载站', 'Ship-borne'));
    await choose(create, t('使用模板', 'Template'), template);
    await confirm(create, lang);
    await expect(toast(page)).toBeVisible();
    const row = rowOf(page, name);
    await expect(row).toContainText(template);
    await row.getByRole('button', { name: new RegExp(t('查看', 'View')) }).click();
    await expect(dialog(page, t('预览图', 'Preview')).locator('img')).toBeVisible();
    await dialog(page, t('预览图', 'Preview'))
      .getByRole('button', { name: t('关闭', 'Close') })
      .first()
      .click();
    await expect(dialog(page)).toHaveCount(0);

    await runAction(row, t('预览', 'Preview'));
    const preview = dialog(page, new RegExp(name));
    const shown = preview.frameLocator('iframe');
    await expect(shown.getByText('Harbour wishes calm seas')).toBeVisible();
    await preview.getByRole('button', { name: t('在线', 'Online'), exact: true }).click();
    await expect(shown.getByText('hx13800001234')).toBeVisible();
    await preview.getByRole('button', { name: t('英文', 'English'), exact: true }).click();
    await expect(shown.getByRole('button', { name: 'Log out' })).toBeVisible();
    await expectAccessible(page);
    await preview
      .getByRole('button', { name: t('关闭', 'Close') })
      .first()
      .click();

    const second = unique('次');
    await newPortal(by, second);
    await page.reload();
    await runAction(rowOf(page, second), t('删除', 'Delete'));
    await confirm(dialog(page), lang);
    await expect(rowOf(page, second)).toHaveCount(0);
    const { id } = (await by.call(portalCalls.list, { name })).list[0] ?? { id: 0 };
    await expect(by.call(portalCalls.remove, { id })).rejects.toThrow('默认模板不允许删除');
  });
}

const tooSmall = () => {
  const small: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')) {
    const { width, height } = element.getBoundingClientRect();
    const isInText = element.matches('p:not(.more) a');
    if (width > 0 && height < 43.5 && !isInText) small.push(`${element.outerHTML.slice(0, 80)} ${width}x${height}`);
  }
  return small;
};

const expectFits = async (page: Page, where: string) => {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, `${where}: scrolls to the side`).toBeLessThanOrEqual(0);
  expect(await page.evaluate(tooSmall), where).toEqual([]);
};

const pagesOf = (root: string, lang: Lang) => [
  ...homeViews.map((state) => `${root}${lang}/${state}/`),
  ...panelViews.filter((view) => view !== 'message').map((view) => `${root}${lang}/online/${view}`),
];

// Half of the pages in each language; a soak opens all pages in both.
for (const lang of langs)
  test(`each page of a portal is accessible and fits a phone of 320 px (${lang})`, { tag: '@all' }, async ({ page }) => {
    const by = await newVno();
    const { preview } = await by.call(portalCalls.read, { id: await newPortal(by, unique('P')) });
    await page.setViewportSize({ width: 320, height: 640 });
    for (const address of pagesOf(`${preview}draft/`, lang).filter((_, i) => isSoak || i % 2 === langs.indexOf(lang))) {
      expect((await page.goto(address))?.status(), address).toBe(200);
      await expectFits(page, address);
      await expectAccessible(page);
    }
  });
