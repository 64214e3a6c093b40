import { say } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { dpiTaskCalls } from '@farlink/contract/traffic/dpi-task.ts';
import { expect, type Locator } from '@playwright/test';
import { newGateway } from './support/field.ts';
import { confirm, line, refusal } from './support/form.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const fillTime = async (form: Locator, label: string, at: number) => {
  const box = line(form, label).getByRole('textbox');
  await box.fill(zonedTime(at));
  await box.press('Enter');
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`estimates the data of a gateway, confirms the report, and shows it as reported (${lang})`, async ({ page }) => {
    test.setTimeout(120_000);
    const gateway = await newGateway({ version: '03.02.01' });
    await gateway.signIn('crew');
    await gateway.browse('crew', 2_000_000, 1_000_000);
    await loginAt(page, gateway.vno, '/flow/dpi-send', { lang, theme: lang === 'en' ? 'dark' : 'light' });
    await page
      .getByRole('main')
      .getByRole('button', { name: t('新建上报任务', 'New reporting task') })
      .click();
    const form = dialog(page, t('新建DPI上报任务', 'New DPI reporting task'));
    await form.getByRole('radio', { name: t('预估', 'Estimate'), exact: true }).check();
    await choose(form, t('数据类型', 'Data type'), t('业务流量', 'Business traffic'));
    await confirm(form, lang);
    await expect(refusal(form, t('上报设备', 'Devices'))).toBeVisible();
    const devices = line(form, t('上报设备', 'Devices'));
    await devices.getByPlaceholder(t('搜索', 'Search')).fill(gateway.sn);
    await devices.getByRole('button', { name: gateway.sn }).click();
    const now = Math.floor(Date.now() / 1000);
    await fillTime(form, t('数据开始时间', 'Data from'), now - 3600);
    await fillTime(form, t('数据结束时间', 'Data until'), now + 3600);
    await expectAccessible(page);
    await confirm(form, lang);
    const row = rowOf(page, gateway.sn);
    await expect(row).toContainText(t('预估完成', 'Estimate complete'), { timeout: 20_000 });

    await runAction(row, t('确认上报', 'Report now'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(row).toContainText(t('数据已上报', 'Data reported'), { timeout: 30_000 });
    await expectAccessible(page);
    const { list } = await gateway.vno.call(dpiTaskCalls.list, { sn: gateway.sn, page: 1, limit: 10 });
    expect(list).toMatchObject([{ status: 9, data_type: 'flow_usr', progress: 100 }]);
    expect(list[0]?.size).toBe(list[0]?.estimate_size);
  });
}
