import { langs, say } from '@farlink/contract/kit/text.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls } from '@farlink/contract/package/template.ts';
import { expect, test } from '@playwright/test';
import { as } from './support/api.ts';
import { nextCall } from './support/calls.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { choose, rowOf, take } from './support/table.ts';
import { unique } from './support/world.ts';

for (const lang of langs) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`a flow package with a monthly quota is made, edited, copied and deleted (${lang})`, async ({ page }) => {
    const name = unique('Flow ');
    await sitAt(page, await as('bluesea'), '/package/net', { lang });
    await page.getByRole('button', { name: t('新增套餐', 'New package') }).click();
    const box = dialog(page, t('新增上网套餐', 'New online package'));
    await input(box, t('套餐名称', 'Package name')).fill(name);
    await line(box, t('流量', 'Flow')).getByRole('textbox').fill('10');
    await line(box, t('周期重置', 'Cycle reset')).getByRole('switch').click();
    await line(box, t('周期时长', 'Cycle length')).getByRole('textbox').fill('1');
    await line(box, t('每周期配额', 'Quota per cycle')).getByRole('textbox').fill('20');
    await line(box, t('价格（元）', 'Price (yuan)')).getByRole('textbox').fill('98.5');
    await confirm(box, lang);
    // More than the whole package cannot be used in one cycle.
    await expect(refusal(box, t('每周期配额', 'Quota per cycle'))).toBeVisible();
    await line(box, t('每周期配额', 'Quota per cycle')).getByRole('textbox').fill('2');
    await choose(box, new RegExp(t('适用设备', 'Devices')), '海');
    await page.keyboard.press('Escape');
    const sent = nextCall(page, packageCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON()).toMatchObject({ name, flow_capacity: 10, cycle_quota: 2, price: '98.50' });
    const row = rowOf(page, name);
    await expect(row).toContainText('10 GB');
    await expect(row).toContainText('98.50');

    await take(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑上网套餐', 'Edit online package'));
    await line(edit, t('价格（元）', 'Price (yuan)')).getByRole('textbox').fill('88');
    await confirm(edit, lang);
    await expect(row).toContainText('88.00');

    await take(row, t('复制', 'Copy'));
    const copy = dialog(page, t('新增上网套餐', 'New online package'));
    await input(copy, t('套餐名称', 'Package name')).fill(`${name} B`);
    await confirm(copy, lang);
    await expect(rowOf(page, `${name} B`)).toContainText('88.00');

    await take(rowOf(page, `${name} B`), t('删除', 'Delete'));
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('确定', 'Confirm') })
      .click();
    await expect(rowOf(page, `${name} B`)).toHaveCount(0);
  });

  test(`an application template takes whole categories of protocols, and needs one at least (${lang})`, async ({ page }) => {
    const name = unique('App');
    await sitAt(page, await as('bluesea'), '/package/app-temp', { lang });
    await page.getByRole('button', { name: t('新增模板', 'New template') }).click();
    const box = dialog(page);
    await input(box, t('模板名称', 'Template name')).fill(name);
    await confirm(box, lang);
    await expect(refusal(box, t('应用协议', 'Protocols'))).toBeVisible();
    await box.getByRole('treeitem').or(box.locator('.ant-tree-checkbox')).first().click();
    const sent = nextCall(page, applicationCalls.create);
    await confirm(box, lang);
    expect((await sent).postDataJSON().configure.length).toBeGreaterThan(0);
    await expect(rowOf(page, name)).toBeVisible();
  });

  test(`a credit control that slows down asks for its speeds (${lang})`, async ({ page }) => {
    const name = unique('Credit');
    await sitAt(page, await as('bluesea'), '/package/control-temp', { lang });
    await page.getByRole('button', { name: t('新增模板', 'New template') }).click();
    const box = dialog(page);
    await input(box, t('模板名称', 'Template name')).fill(name);
    await choose(box, new RegExp(t('用尽处理|控制动作|动作', 'Action')), t('限速', 'Slow down'));
    await confirm(box, lang);
    await expect(notice(page).or(box.getByRole('alert').first())).toBeVisible();
  });
}
