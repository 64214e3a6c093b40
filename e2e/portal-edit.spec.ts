import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { type PortalDocument, parseDocument } from '@farlink/portal/document.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { type Caller, logIn } from './support/api.ts';
import { confirm } from './support/form.ts';
import { dialog, loginAs, loginAt, question, toast } from './support/login-as.ts';
import { pngFile } from './support/png.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { allPages, grantsOf, makeStaff, newVno, unique } from './support/world.ts';

const logo = pngFile('logo.png', 190, 60, [20, 90, 200]);
const banners = [
  pngFile('one.png', 600, 200, [200, 40, 40]),
  pngFile('two.png', 600, 200, [40, 160, 60]),
  pngFile('three.png', 600, 200, [40, 60, 180]),
];

const newPortal = async (by: Caller, name = unique('P')) => {
  const templates = await by.call(portalCalls.templateOption, { device_type: 'ship' });
  const template_id = Number(Object.keys(templates)[0]);
  const { id } = await by.call(portalCalls.create, { name, template_id, device_type: 'ship', billing_type: 'charged' });
  return { id, name, template_id };
};

const documentOf = async (by: Caller, id: number): Promise<PortalDocument> => {
  const parsed = parseDocument((await by.call(portalCalls.read, { id })).document);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed.value;
};

const kindsOf = ({ blocks }: PortalDocument) => blocks.map(({ kind }) => kind);

/** The editor by its labels in one language. */
const editorOf = (page: Page, lang: Lang) => {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const region = (zh: string, en: string) => page.getByRole('region', { name: t(zh, en), exact: true });
  const props = region('属性', 'Properties');
  const list = region('页面结构', 'Structure');
  const names = { zh: t('中文', 'Chinese'), en: t('英文', 'English') };
  return {
    t,
    list,
    props,
    rows: list.locator('[data-sort]'),
    row: (name: string) => list.getByRole('button', { name: new RegExp(`^${name}`) }),
    text: (label: string, of: Lang) => props.getByRole('textbox', { name: `${label} ${names[of]}`, exact: true }),
    field: (name: string) => props.locator(`[data-field="${name}"]`),
    save: page.getByRole('button', { name: t('保存', 'Save'), exact: true }),
    undo: page.getByRole('button', { name: new RegExp(`^${t('撤销', 'Undo')}`) }),
    status: page.locator('.draft-status'),
    preview: page.getByTitle(t('门户预览', 'Portal preview'), { exact: true }),
    inPreview: page.frameLocator(`[title="${t('门户预览', 'Portal preview')}"]`),
    isStored: t('草稿已保存', 'Draft saved'),
    isSaved: t('已保存', 'Saved'),
  };
};

const openEditor = async (page: Page, by: Caller, id: number, lang: Lang) => {
  await loginAt(page, by, `/market/advert-edit/${id}`, { lang });
  const editor = editorOf(page, lang);
  await expect(editor.rows.first()).toBeVisible();
  return editor;
};

const tabTo = async (page: Page, target: Locator, key = 'Tab') => {
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
};

for (const lang of storyLangs(import.meta.url)) {
  test(`edits a portal in two languages with logo, colors, three banners and packages (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const { id, name } = await newPortal(vno);
    const { t, props, text, field, save, status, inPreview, isStored, isSaved, row, list } = await openEditor(page, vno, id, lang);
    await expect(status).toContainText(isSaved);
    const renamed = `${name}B`;
    await field('name').getByRole('textbox').fill(renamed);
    await text(t('页面标题', 'Page title'), 'zh').fill('远海客轮');
    await text(t('页面标题', 'Page title'), 'en').fill('Ocean liner');
    await text(t('欢迎语', 'Welcome text'), 'zh').fill('欢迎登船');
    await expect(inPreview.getByText(lang === 'zh' ? '欢迎登船' : 'Welcome aboard. Stay online at sea.')).toBeVisible();
    await text(t('欢迎语', 'Welcome text'), 'en').fill('Welcome on deck');
    await field('logo').locator('input[type=file]').setInputFiles(logo);
    await expect(field('logo').getByRole('img')).toBeVisible();
    await field('banner').locator('input[type=file]').setInputFiles(banners);
    await expect(field('banner').locator('.picture-row')).toHaveCount(3);
    await text(`${t('替代文字', 'Alternative text')} 1`, 'zh').fill('夕阳');
    await expect(list.getByRole('img', { name: t('缺少译文', 'Missing translation') })).toHaveCount(1);
    await expect(page.getByRole('button', { name: t('1处缺少译文', '1 missing translation') })).toBeVisible();
    await text(`${t('替代文字', 'Alternative text')} 1`, 'en').fill('Sunset');
    await expect(list.getByRole('img', { name: t('缺少译文', 'Missing translation') })).toHaveCount(0);
    await expect(status).toContainText(isStored);
    await expect(inPreview.locator('.slides img')).toHaveCount(3);
    await expect(inPreview.locator('.logo')).toBeVisible();
    await expectAccessible(page, 'portal editor');

    await row(t('主题', 'Theme')).click();
    await props.getByRole('button', { name: `${t('主色', 'Primary color')} #0b7a75` }).click();
    await field('radius').getByText(t('大', 'Large'), { exact: true }).click();
    await row(t('套餐购买', 'Packages')).click();
    await field('most').getByRole('combobox').selectOption('4');
    await text(t('标题', 'Heading'), 'zh').fill('海上套餐');
    await text(t('标题', 'Heading'), 'en').fill('Packages at sea');
    await expect(inPreview.getByText(lang === 'zh' ? '海上套餐' : 'Packages at sea')).toBeVisible();
    await expect(status).toContainText(t('有未发布的修改', 'unpublished changes'));
    await expectAccessible(page);
    await save.click();
    await expect(toast(page)).toContainText(t('保存成功', 'Saved'));
    await expect(status).toHaveText(isSaved);

    await page.reload();
    await expect(field('name').getByRole('textbox')).toHaveValue(renamed);
    await expect(text(t('页面标题', 'Page title'), 'en')).toHaveValue('Ocean liner');
    await expect(text(t('欢迎语', 'Welcome text'), 'zh')).toHaveValue('欢迎登船');
    await expect(field('banner').locator('.picture-row')).toHaveCount(3);
    await expect(status).toHaveText(isSaved);
    const doc = await documentOf(vno, id);
    expect(doc.title).toEqual(['远海客轮', 'Ocean liner']);
    expect(doc.theme).toMatchObject({ primary: '#0b7a75', radius: 16 });
    expect(kindsOf(doc).slice(0, 2)).toEqual(['header', 'banners']);
    expect(doc.blocks.find(({ kind }) => kind === 'packages')).toMatchObject({ most: 4, heading: ['海上套餐', 'Packages at sea'] });
    // An unchanged portal is not saved again.
    await save.click();
    await expect(toast(page)).toContainText(t('您未做任何修改', "You haven't made any changes"));
  });

  test(`adds, moves, hides, edits, undoes and saves with the keyboard only (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    const { t, row, rows, text, status, list, isStored } = await openEditor(page, vno, id, lang);
    const before = kindsOf(await documentOf(vno, id));
    await tabTo(page, row(t('页面设置', 'Page settings')));
    await tabTo(page, list.getByRole('button', { name: t('添加区块', 'Add block') }));
    await page.keyboard.press('Enter');
    const offer = page.getByRole('menuitem', { name: t('联系方式', 'Contact') });
    await expect(page.getByRole('menuitem', { name: t('登录', 'Login') })).toHaveAttribute('aria-disabled', 'true');
    for (let i = 0; i < 20 && !(await offer.evaluate((one) => one === document.activeElement)); i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(rows).toHaveCount(before.length + 1);

    const contact = row(t('联系方式', 'Contact'));
    await tabTo(page, contact);
    const at = await rows.count();
    // The new block is before the footer; it moves up two positions.
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await expect(contact).toBeFocused();
    await expect(list.locator('[aria-live]')).toContainText(`${at - 3}`);
    // Grab mode: one more position up, cancelled with Esc.
    await tabTo(page, list.getByRole('button', { name: t('移动联系方式', 'Move Contact') }), 'Shift+Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await expect(list.locator('[aria-live]')).toContainText(`${at - 4}`);
    await page.keyboard.press('Escape');
    await expect(list.locator('[aria-live]')).toContainText(`${at - 3}`);

    await tabTo(page, list.getByRole('button', { name: t('隐藏联系方式', 'Hide Contact') }));
    await page.keyboard.press('Enter');
    await expect(list.getByRole('button', { name: t('显示联系方式', 'Show Contact') })).toBeFocused();
    await page.keyboard.press('Enter');
    const textField = text(t('文字', 'Text'), 'zh');
    await tabTo(page, textField);
    await page.keyboard.type('服务台', { delay: 10 });
    await tabTo(page, text(t('文字', 'Text'), 'en'), lang === 'zh' ? 'Tab' : 'Shift+Tab');
    await page.keyboard.type('Crew service', { delay: 10 });
    await page.keyboard.press('Control+z');
    await expect(text(t('文字', 'Text'), 'en')).toHaveValue('');
    await expect(textField).toHaveValue('服务台');
    await page.keyboard.press('Control+Shift+z');
    await expect(text(t('文字', 'Text'), 'en')).toHaveValue('Crew service');
    await expect(status).toContainText(isStored);
    await page.keyboard.press('Control+s');
    await expect(toast(page)).toContainText(t('保存成功', 'Saved'));
    const doc = await documentOf(vno, id);
    expect(doc.blocks.findIndex(({ kind }) => kind === 'contact')).toBe(at - 4);
    expect(doc.blocks.find(({ kind }) => kind === 'contact')).toMatchObject({ text: ['服务台', 'Crew service'] });
    // Delete removes the block and keeps the focus in the list.
    await tabTo(page, contact, 'Shift+Tab');
    await page.keyboard.press('Delete');
    await expect(rows).toHaveCount(before.length);
    await expect(list.locator('.block-name[aria-current]')).toBeFocused();
  });

  test(`sorts blocks by dragging, marks them in the preview, and previews screens, states and languages (${lang})`, {
    tag: '@all',
  }, async ({ page }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    const { t, row, rows, list, status, preview, inPreview, isStored, props } = await openEditor(page, vno, id, lang);
    const grip = list.getByRole('button', { name: t('移动套餐购买', 'Move Packages') });
    const from = await grip.boundingBox();
    const to = await rows.nth(1).boundingBox();
    if (!from || !to) throw new Error('no boxes');
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y - 40, { steps: 4 });
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 4 });
    await expect(rows.nth(1)).toHaveAttribute('data-drop', 'before');
    await page.mouse.up();
    await expect(rows.nth(1)).toContainText(t('套餐购买', 'Packages'));
    await expect(status).toContainText(isStored);
    await expect(inPreview.locator('main > .block').nth(1)).toHaveAttribute('id', 'b-packages');

    await row(t('充值卡', 'Recharge card')).click();
    await expect(inPreview.locator('#b-card')).toHaveCSS('outline-style', 'solid');
    await expect(inPreview.locator('#b-card')).toBeInViewport();
    const login = await inPreview.locator('#b-login .button').boundingBox();
    await page.mouse.click((login?.x ?? 0) + 8, (login?.y ?? 0) + 8);
    await expect(props.getByRole('heading', { name: t('登录', 'Login') })).toBeVisible();
    await expect(row(t('登录', 'Login'))).toHaveAttribute('aria-current', 'true');

    const previewPanel = page.getByRole('region', { name: t('预览', 'Preview'), exact: true });
    const widthOf = () => preview.evaluate((frame) => (frame instanceof HTMLIFrameElement ? (frame.contentWindow?.innerWidth ?? 0) : 0));
    for (const [label, width] of [
      [t('平板', 'Tablet'), 768],
      [t('电脑', 'Desktop'), 1280],
      [t('手机', 'Phone'), 390],
    ] as const) {
      await previewPanel.getByText(label, { exact: true }).click();
      await expect.poll(widthOf).toBe(width);
    }
    for (const state of ['online', 'used', 'paying', 'offline', 'out']) {
      await previewPanel.getByRole('combobox').selectOption(state);
      await expect(preview).toHaveAttribute('src', new RegExp(`/${state}/`));
    }
    const other = lang === 'zh' ? 'en' : 'zh';
    await previewPanel.getByText(other === 'zh' ? '中文' : 'English', { exact: true }).click();
    await expect(inPreview.locator('html')).toHaveAttribute('lang', other === 'zh' ? 'zh-CN' : 'en');
  });

  test(`shows an error at its field, and keeps edits after a lost connection (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    const { t, field, text, save, status, list, row, isStored } = await openEditor(page, vno, id, lang);
    await field('link').getByRole('textbox').fill('example.com');
    await expect(field('link').getByRole('alert')).toContainText('https://');
    await expect(status).toContainText(t('内容有误', 'correct the errors'));
    await row(t('主题', 'Theme')).click();
    await save.click();
    await expect(toast(page)).toContainText(t('请先修正标出的错误', 'Correct the marked errors first'));
    // Saving opens the settings with the wrong field.
    await field('link').getByRole('textbox').fill('https://example.com/sea');
    await expect(field('link').getByRole('alert')).toHaveCount(0);
    await expect(status).toContainText(isStored);

    await page.route('**/portal/draft/**', (route) => route.abort());
    await text(t('页面标题', 'Page title'), 'zh').fill('断线');
    await expect(status).toContainText(t('草稿未保存', 'Draft not saved'));
    await page.unroute('**/portal/draft/**');
    await status.getByRole('button', { name: t('重试', 'Retry') }).click();
    await expect(status).toContainText(isStored);
    // The draft survives a reload without saving.
    await page.reload();
    await expect(text(t('页面标题', 'Page title'), 'zh')).toHaveValue('断线');
    await expect(list).toBeVisible();
    await expect(status).toContainText(t('有未发布的修改', 'unpublished changes'));
    expect((await documentOf(vno, id)).title[0]).not.toBe('断线');
  });

  test(`shows revisions and reverts to one as a new revision (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    const first = await documentOf(vno, id);
    const { t, text, save, undo, isSaved, status } = await openEditor(page, vno, id, lang);
    await text(t('欢迎语', 'Welcome text'), lang).fill(t('第二版', 'Second edition'));
    await save.click();
    await expect(toast(page)).toContainText(t('保存成功', 'Saved'));
    await page.getByRole('button', { name: t('历史版本', 'History') }).click();
    const history = dialog(page, t('历史版本', 'History'));
    const rows = history.locator('.history-row');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(t('当前', 'Current'));
    const shown = history.frameLocator('iframe:not([data-waiting])');
    await expect(shown.getByText(t('第二版', 'Second edition'))).toBeVisible();
    await rows.nth(1).click();
    await expect(shown.getByText(t('第二版', 'Second edition'))).toHaveCount(0);
    await expect(shown.locator('.lead')).toBeVisible();
    await history.getByRole('button', { name: t('恢复为此版本', 'Revert to this revision') }).click();
    await confirm(question(page, lang), lang);
    await expect(toast(page)).toContainText(t('已恢复', 'Reverted'));
    await expect(rows).toHaveCount(3);
    expect(await documentOf(vno, id)).toEqual(first);
    await page.keyboard.press('Escape');
    await expect(status).toHaveText(isSaved);
    // Undo restores the replaced text.
    await undo.click();
    await expect(text(t('欢迎语', 'Welcome text'), lang)).toHaveValue(t('第二版', 'Second edition'));
  });

  test(`warns about the edits of another operator, and loses neither version (${lang})`, { tag: '@all' }, async ({ page, browser }) => {
    const vno = await newVno();
    const { id, name, template_id } = await newPortal(vno);
    const staff = await logIn((await makeStaff(vno)).username);
    const { t, text, save, undo, status, isStored, isSaved } = await openEditor(page, vno, id, lang);
    await text(t('欢迎语', 'Welcome text'), lang).fill(t('我的', 'Mine'));
    await expect(status).toContainText(isStored);
    const theirs = async (welcome: string) => {
      const { version } = await staff.call(portalCalls.read, { id });
      await staff.call(portalCalls.update, { id, version, name, template_id, billing_type: 'charged', lang, welcome });
    };
    await theirs(t('对方的', 'Theirs'));
    await save.click();
    const conflict = page.locator('.callout');
    await expect(conflict).toContainText(t('其他人已保存', 'Someone else saved'));
    await expectAccessible(page);
    await conflict.getByRole('button', { name: t('载入对方版本', 'Load their version') }).click();
    await expect(text(t('欢迎语', 'Welcome text'), lang)).toHaveValue(t('对方的', 'Theirs'));
    await expect(conflict).toHaveCount(0);
    await undo.click();
    await expect(text(t('欢迎语', 'Welcome text'), lang)).toHaveValue(t('我的', 'Mine'));
    await expect(status).toContainText(isStored);
    // Autosave also detects the other version. This time, the own version is used and the other one stays in the history.
    await theirs(t('又一版', 'Once more'));
    await text(t('欢迎语', 'Welcome text'), lang).fill(t('我的二', 'Mine too'));
    await expect(conflict).toBeVisible();
    await conflict.getByRole('button', { name: t('使用我的版本', 'Use my version') }).click();
    await expect(toast(page)).toContainText(t('保存成功', 'Saved'));
    await expect(status).toHaveText(isSaved);
    // A copy keeps both versions.
    await theirs(t('第三版', 'Third'));
    await text(t('欢迎语', 'Welcome text'), lang).fill(t('我的三', 'Mine three'));
    await conflict.getByRole('button', { name: t('将我的版本另存为新门户', 'Save mine as a new portal') }).click();
    await expect(page).not.toHaveURL(new RegExp(`/${id}$`));
    await expect(text(t('欢迎语', 'Welcome text'), lang)).toHaveValue(t('我的三', 'Mine three'));
    // Another operator sees that the portal is being edited.
    await text(t('欢迎语', 'Welcome text'), lang).fill(t('我的四', 'Mine four'));
    await expect(status).toContainText(isStored);
    const other = await (await browser.newContext()).newPage();
    await loginAs(other, staff, { lang });
    await other.goto(page.url());
    await expect(other.locator('.editor-head')).toContainText(t('也在编辑', 'is editing too'));
    await other.context().close();
  });

  test(`uses an image of the library, and stores nothing for a view-only operator (${lang})`, { tag: '@all' }, async ({
    page,
    browser,
  }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    const { t, field, status, isStored, inPreview } = await openEditor(page, vno, id, lang);
    await page.getByRole('button', { name: t('上传素材', 'Upload resource') }).click();
    const form = dialog(page, t('上传素材', 'Upload resource'));
    await form.locator('input[type=file]').setInputFiles(logo);
    await confirm(form, lang);
    await expect(form).toHaveCount(0);
    await field('logo')
      .getByRole('button', { name: new RegExp(`^${t('从素材库选择', 'Choose from library')}`) })
      .click();
    const library = dialog(page, t('素材库', 'Image library'));
    await library.getByRole('button', { name: t('使用logo.png', 'Use logo.png') }).click();
    await expect(library).toHaveCount(0);
    await expect(field('logo').getByRole('img')).toBeVisible();
    await expect(status).toContainText(isStored);
    await expect(inPreview.locator('.logo')).toBeVisible();

    const staff = await logIn((await makeStaff(vno, grantsOf(allPages, '10'))).username);
    const other = await (await browser.newContext()).newPage();
    const viewed = await openEditor(other, staff, id, lang);
    await expect(viewed.save).toHaveAttribute('aria-disabled', 'true');
    await viewed.text(t('欢迎语', 'Welcome text'), lang).fill(t('不会保存', 'Not kept'));
    await expect(viewed.status).toContainText(t('您仅有查看权限', 'view-only'));
    await other.keyboard.press('Control+s');
    await other.reload();
    await expect(viewed.text(t('欢迎语', 'Welcome text'), lang)).not.toHaveValue(t('不会保存', 'Not kept'));
    await other.context().close();
  });

  test(`edits on a phone, one pane at a time (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const { id } = await newPortal(vno);
    await page.setViewportSize({ width: 390, height: 844 });
    await loginAs(page, vno, { lang });
    await page.goto(`/market/advert-edit/${id}`);
    const { t, row, list, text, status, isStored, preview, inPreview } = editorOf(page, lang);
    await expect(list).toBeVisible();
    await expectAccessible(page);
    await row(t('欢迎语', 'Welcome text')).click();
    await text(t('文字', 'Text'), lang).fill(t('手机上写的', 'Written on a phone'));
    await expect(status).toContainText(isStored);
    await expectAccessible(page);
    await page.getByRole('tab', { name: t('预览', 'Preview') }).click();
    await expect(inPreview.getByText(t('手机上写的', 'Written on a phone'))).toBeVisible();
    await expect(preview).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
}
