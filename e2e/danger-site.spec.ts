import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { langs, say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { as } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { takeTurns } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const path = '/advanced/danger-site';

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    domain: t('网址', 'Domain'),
    test: t('拦截测试', 'Test an address'),
    create: t('新增危险网站', 'New dangerous site'),
    edit: t('编辑危险网站', 'Edit dangerous site'),
    import: t('导入危险网站', 'Import dangerous sites'),
  };

  inTurn(test)(`lists a website once, edits, tests and deletes it (${lang})`, async ({ page }) => {
    const name = `${unique('site-')}.example`;
    await loginAt(page, await as('admin'), `${path}?domain=${name}`, { lang, theme: lang === 'en' ? 'dark' : 'light' });
    const main = page.getByRole('main');
    const form = dialog(page, labels.create);
    await main.getByRole('button', { name: t('新增网站', 'New site') }).click();
    await input(form, labels.domain).fill('com.cn');
    await confirm(form, lang);
    await expect(refusal(form, labels.domain)).toContainText(t('公共后缀', 'public suffix'));
    await input(form, labels.domain).fill(`https://WWW.${name.toUpperCase()}:8443/login?x=1`);
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('新增网站成功', 'New site: done'));
    await expect(rowOf(page, `www.${name}`)).toContainText(t('其他', 'Other'));

    await main.getByRole('button', { name: t('新增网站', 'New site') }).click();
    await input(form, labels.domain).fill(`www.${name}.`);
    await confirm(form, lang);
    await expect(refusal(form, labels.domain)).toHaveText(t('网址已存在', 'Domain already exists'));
    await form.getByRole('button', { name: t('取消', 'Cancel') }).click();
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(form).toHaveCount(0);

    await runAction(rowOf(page, name), t('编辑', 'Edit'));
    const edit = dialog(page, labels.edit);
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(edit, labels.domain).fill(name);
    await edit.getByRole('textbox', { name: t('备注', 'Remark') }).fill('reported');
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('编辑成功', 'Edit: done'));
    await expect(rowOf(page, 'reported')).toContainText(name);

    const box = main.getByRole('textbox', { name: labels.test });
    const result = main.locator('.danger-test').getByRole('status');
    await box.fill(`http://deep.sub.${name}/page`);
    await box.press('Enter');
    await expect(result).toContainText(t(`deep.sub.${name} 会被拦截，命中`, `deep.sub.${name} would be blocked by`));
    await expect(result.getByRole('button', { name, exact: true })).toBeVisible();
    await expectAccessible(page);
    await box.fill(`other-${name}`);
    await box.press('Enter');
    await expect(result).toContainText(t('不会被拦截，不在名单中', 'would not be blocked. It is not in the list'));
    await box.fill('not a domain');
    await box.press('Enter');
    await expect(main.locator('.danger-test').getByRole('alert')).toHaveText(t('域名格式不正确', 'Not a valid domain name'));

    await runAction(rowOf(page, name), t('删除', 'Delete'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(rowOf(page, name)).toHaveCount(0);
    await box.fill(name);
    await box.press('Enter');
    await expect(result).toContainText(t('不会被拦截', 'would not be blocked'));
  });

  inTurn(test)(
    `blocks a website on a gateway, counts the visits and shows which gateways have the list (${lang})`,
    { tag: '@all' },
    async ({ page }) => {
      const admin = await as('admin');
      const gateway = await newGateway({ vno: await newVno(), version: '03.02.01', links: ['6d'] });
      const name = `${unique('hit-')}.example`;
      const { id } = await admin.call(dangerSiteCalls.create, { domain: name, kind: 'malware', status: 1 });
      await expect.poll(async () => (await gateway.visit(`www.${name}`, 3)).blocked).toBe(3);
      await expect
        .poll(async () => (await admin.call(dangerSiteCalls.list, { domain: name, page: 1, limit: 10 })).list[0]?.hit_count)
        .toBe(3);

      await loginAt(page, admin, `${path}?domain=${name}`, { lang });
      await expect(rowOf(page, name)).toContainText(t('恶意程序', 'Malware'));
      await expect(rowOf(page, name).getByRole('cell', { name: '3', exact: true })).toBeVisible();
      await page.getByRole('button', { name: t('查看网关', 'Show gateways') }).click();
      const panel = dialog(page, new RegExp(t('网关名单', 'Lists on gateways')));
      // Other stories change the list too. For a moment no gateway has its newest revision.
      await expect(async () => {
        await panel.getByRole('tab', { name: new RegExp(t('全部', 'All')) }).click();
        await panel.getByRole('tab', { name: new RegExp(t('已生效', 'Applied')) }).click();
        await expect(panel.locator('tbody tr').first()).toContainText(t('已生效', 'Applied'), { timeout: 5000 });
      }).toPass({ timeout: 60_000 });
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(panel).toHaveCount(0);
      await admin.call(dangerSiteCalls.remove, { id });
    },
  );

  inTurn(test)(`imports a file with a report, and opens the form for a linked domain (${lang})`, { tag: '@all' }, async ({ page }) => {
    const admin = await as('admin');
    const good = `${unique('imp-')}.example`;
    const linked = `${unique('link-')}.example`;
    await loginAt(page, admin, `${path}?create=${linked}`, { lang });
    const form = dialog(page, labels.create);
    await expect(input(form, labels.domain)).toHaveValue(linked);
    await confirm(form, lang);
    await expect(rowOf(page, linked)).toContainText(t('其他', 'Other'));
    await expect(page).not.toHaveURL(/create=/);

    await page
      .getByRole('main')
      .getByRole('button', { name: t('导入', 'Import'), exact: true })
      .click();
    const importing = dialog(page, labels.import);
    const text = `Domain,Kind,Status,Remark\r\nhttps://${good}/x,Fraud,,\r\n${linked},,,\r\nbad domain,,,\r\n`;
    await importing.locator('input[type=file]').setInputFiles({ name: 'sites.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await confirm(importing, lang);
    const panel = dialog(page, labels.import);
    await expect(panel.getByRole('status')).toContainText(t('导入 1', '1 imported'));
    const faults = panel.locator('tbody tr');
    await expect(faults).toHaveCount(2);
    await expect(faults.nth(0)).toContainText(t('已在名单中', 'Already in the list'));
    await expect(faults.nth(1)).toContainText(t('域名格式不正确', 'Not a valid domain name'));
    await expectAccessible(page);
    const file = page.waitForEvent('download');
    await panel.getByRole('button', { name: t('下载未导入的行', 'Download these rows') }).click();
    expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await page.reload();
    await page.getByRole('button', { name: t('上次导入', 'Last import') }).click();
    await expect(faults).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(rowOf(page, good)).toContainText(t('涉诈', 'Fraud'));
    for (const domain of [good, linked]) {
      const { list } = await admin.call(dangerSiteCalls.list, { domain, page: 1, limit: 10 });
      await admin.call(dangerSiteCalls.removeMany, { ids: list.map(({ id }) => id).join(',') });
    }
  });
}
