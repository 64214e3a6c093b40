import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { confirm, line } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });
const ticked = (page: Page, label: string) => page.getByRole('checkbox', { name: label, exact: true });
/** Chooses from a list that needs a search. */
const find = async (at: Page | Locator, label: string | RegExp, optionName: string) => {
  const page = 'page' in at ? at.page() : at;
  const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');
  const option = list.locator('.ant-select-item-option, .ant-select-tree-node-content-wrapper').filter({ hasText: optionName }).first();
  // Text entered before the options are loaded can be lost when a tree replaces the select.
  await expect(async () => {
    await at.getByRole('combobox', { name: label }).fill(optionName);
    await option.click({ timeout: 3000 });
  }).toPass();
};
const devices = (page: Page) => page.locator('.campaign-devices tbody tr');

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  /** Matches a name that starts with this text. */
  const starts = (zh: string, en: string) => new RegExp(`^${t(zh, en)}`);
  test(`creates a template with a variable, previews it, applies it to devices of which one refuses, and retries (${lang})`, async ({
    page,
  }) => {
    const vno = await newVno();
    const good = await newGateway({ vno });
    const bad = await newGateway({ vno });
    await bad.fault({ reject: ['network_dns'] });
    const admin = await as('admin');
    const name = unique(t('基线', 'Baseline '));
    await loginAt(page, admin, '/device/config-template', { lang });
    await button(page, t('新增模板', 'New template')).click();
    await expect(page).toHaveURL(/config-template\/new$/);
    // Scoped to the form, because the list has a filter with the same label until the form is loaded.
    const main = page.getByRole('form', { name: t('新增配置模板', 'New template') });
    await main.getByLabel(t('模板名称', 'Template name')).fill(name);
    await main.getByRole('radio', { name: 'VNO' }).check();
    await find(main, starts('所属VNO', 'VNO'), vno.name);
    await button(main, t('添加一行', 'Add a line')).click();
    await main.getByRole('textbox', { name: t('变量名', 'Name'), exact: true }).fill('ttl');

    await find(page, t('添加配置页', 'Add a page'), t('网络设置 / DNS设置', 'Network / DNS'));
    await ticked(page, t('由本模板设置：最小缓存时间', 'Set by this template: Minimum TTL')).check();
    const ttl = page.locator('.template-main').getByLabel(t('最小缓存时间', 'Minimum TTL'), { exact: true });
    await ttl.fill(`\${time}`);
    await button(page, t('保存模板', 'Save template')).click();
    await expect(page.locator('.template-main')).toContainText(
      t('变量 time 未在模板中声明', 'Variable time is not declared in the template'),
    );
    await expect(page.locator('.template-side')).toContainText('! 1');
    await ttl.fill(`\${ttl}`);
    await expectAccessible(page);
    await button(page, t('保存模板', 'Save template')).click();
    await expect(toast(page)).toContainText(t('模板已保存', 'Template saved. Devices change when it is applied.'));

    await runAction(rowOf(page, name), t('预览', 'Preview'));
    const preview = dialog(page, `${t('预览', 'Preview')} · ${name}`);
    await find(preview, t('设备', 'Device'), good.sn);
    await expect(preview).toContainText(t('最小缓存时间：变量 ttl 没有取值', 'Minimum TTL: Variable ttl has no value'));
    await button(preview, /close|关闭/i).click();
    await button(page, t('变量取值', 'Variable values')).click();
    await button(dialog(page, t('变量取值', 'Variable values')), t('新增取值', 'New value')).click();
    const form = dialog(page, t('新增变量取值', 'Set a variable'));
    await find(form, starts('变量名', 'Name'), 'ttl');
    await form.getByRole('radio', { name: 'VNO' }).check();
    await find(form, 'VNO', vno.name);
    await line(form, t('取值', 'Value')).getByRole('textbox').fill('777');
    await confirm(form, lang);
    // Other VNOs have values of this name too.
    const valueRow = dialog(page, t('变量取值', 'Variable values')).locator('tbody tr').filter({ hasText: vno.name });
    await expect(valueRow).toContainText('777');
    await button(dialog(page, t('变量取值', 'Variable values')), /close|关闭/i).click();

    await runAction(rowOf(page, name), t('下发', 'Apply'));
    await confirm(dialog(page, `${t('下发模板', 'Apply template')} · ${name}`), lang);
    await expect(page).toHaveURL(/config-campaign\/\d+$/);
    await expect(page.locator('.campaign-counts')).toContainText(t('已生效 1', 'Applied 1'));
    await expect(page.locator('.campaign-counts')).toContainText(t('网关拒绝 1', 'Refused 1'));
    await expect(devices(page).filter({ hasText: bad.sn })).toContainText(t('网关拒绝', 'Refused'));
    expect((await good.groundTruth()).sections.network_dns?.doc.min_ttl).toBe(777);
    await expectAccessible(page, 'template tasks');
    await button(page, starts('网关拒绝', 'Refused')).click();
    await expect(devices(page)).toHaveCount(1);
    await bad.fault({ clear: true });
    await button(page, t('重试', 'Retry')).click();
    await confirm(dialog(page), lang);
    await expect(page.locator('.campaign-counts')).toContainText(t('已生效 2', 'Applied 2'));
    await expect(page.locator('.campaign-title')).toContainText(t('已完成', 'Finished'));
    expect((await bad.groundTruth()).sections.network_dns?.doc.min_ttl).toBe(777);

    // A template with devices that inherit from it cannot be deleted.
    await page.goto('/device/config-template');
    await rowOf(page, name)
      .getByRole('button', { name: starts('更多', 'More') })
      .click();
    await expect(page.getByRole('menuitem', { name: t('删除', 'Delete') })).toHaveAttribute('aria-disabled', 'true');
    const { list } = await admin.call(templateCalls.list, { name, page: 1, limit: 10 });
    await admin.call(templateCalls.enable, { id: list[0]?.id, enabled: false });
  });

  test(`compares a configuration, exports it with sealed secrets, imports it to another device, and sets one field on both (${lang})`, {
    tag: '@all',
  }, async ({ page }) => {
    const vno = await newVno();
    const one = await newGateway({ vno });
    const two = await newGateway({ vno });
    await one.changeLocally('network_cellular', {
      enabled: true,
      sim_slot: 'sim2',
      apn: 'sea',
      auth_type: 'pap',
      password: 'Hidden12',
      network_mode: 'auto',
    });
    await loginAt(page, await as('admin'), `/device/gateway-config/${one.deviceId}?page=network_cellular`, {
      lang,
      theme: lang === 'en' ? 'dark' : 'light',
    });
    await expect(page.locator('.config-main').getByLabel('APN', { exact: true })).toHaveValue('sea');
    const tool = async (name: string) => {
      await button(page, t('配置工具', 'Tools')).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };

    await tool(t('与其他设备对比', 'Compare with another device'));
    const compare = dialog(page, starts('对比配置', 'Compare'));
    await find(compare, t('对比设备', 'Compare with'), two.sn);
    await expect(compare.locator('.diff-pages')).toContainText(t('4G/5G设置', 'Cellular'));
    await expect(compare).not.toContainText('Hidden12');
    await expectAccessible(page);
    await button(compare, /close|关闭/i).click();

    await tool(t('导出配置', 'Export'));
    await dialog(page, starts('导出配置', 'Export')).getByLabel(t('文件密码', 'File password')).fill('open sesame');
    const [file] = await Promise.all([page.waitForEvent('download'), confirm(dialog(page, starts('导出配置', 'Export')), lang)]);
    const path = await file.path();
    expect(file.suggestedFilename()).toMatch(new RegExp(`^${one.sn}-config-\\d{14}\\.json$`));

    await page.goto(`/device/gateway-config/${two.deviceId}?page=network_cellular`);
    await tool(t('导入配置', 'Import'));
    const importDialog = dialog(page, starts('导入配置', 'Import'));
    await importDialog.locator('input[type=file]').setInputFiles(path);
    await importDialog.getByLabel(starts('文件密码', 'File password')).fill('wrong one');
    await button(importDialog, t('清空', 'Clear')).click();
    await importDialog.getByRole('checkbox', { name: t('4G/5G设置', 'Cellular') }).check();
    await button(importDialog, t('导入为草稿', 'Import as drafts')).click();
    await expect(toast(page)).toContainText(t('文件密码不正确', 'The password is wrong'));
    await importDialog.getByLabel(starts('文件密码', 'File password')).fill('open sesame');
    await button(importDialog, t('导入为草稿', 'Import as drafts')).click();
    await expect(toast(page)).toContainText(t('已导入 1 页为草稿', 'Pages imported as drafts: 1'));
    await expect(page.locator('.config-main').getByLabel('APN', { exact: true })).toHaveValue('sea');

    await tool(t('批量修改某一项', 'Set one field on many devices'));
    const bulk = dialog(page, t('批量修改某一项', 'Set one field on many devices'));
    await find(bulk, t('配置项', 'Field'), 'MTU');
    await bulk.getByLabel('MTU', { exact: true }).fill('1300');
    for (const { sn } of [one, two]) {
      await bulk.getByPlaceholder(t('搜索', 'Search')).fill(sn);
      await bulk
        .getByRole('button', { name: new RegExp(sn) })
        .first()
        .click();
    }
    await confirm(bulk, lang);
    await expect(page).toHaveURL(/config-campaign\/\d+$/);
    await expect(page.locator('.campaign-counts')).toContainText(t('已生效 2', 'Applied 2'));
    expect((await one.groundTruth()).sections.network_cellular?.doc).toMatchObject({ apn: 'sea', mtu: 1300, password: 'Hidden12' });
  });
}
