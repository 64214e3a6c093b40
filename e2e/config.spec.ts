import { configCalls } from '@farlink/contract/config/config.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as, logIn } from './support/api.ts';
import { type NewGateway, newGateway } from './support/field.ts';
import { confirm } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { grantsOf, makeRole, makeStaff } from './support/world.ts';

const main = (page: Page) => page.locator('.config-main');
const bar = (page: Page) => page.locator('.draft-line');
const strip = (page: Page) => page.locator('.apply-strip');
const box = (at: Locator, label: string) => at.getByLabel(label, { exact: true });
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });

/** Opens the first match of the page search. */
const open = async (page: Page, typed: string, title: string) => {
  const search = page.locator('#config-search');
  await search.fill(typed);
  await search.press('Enter');
  await expect(main(page).getByRole('heading', { level: 2 }).first()).toHaveText(title);
};

const docOf = async ({ deviceId }: NewGateway, page: string) =>
  (await (await as('admin')).call(configCalls.page, { device_id: deviceId, page })).doc;

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  /** Matches a name that starts with this text. */
  const starts = (zh: string, en: string) => new RegExp(`^${t(zh, en)}`);
  test(`changes, reviews and applies two pages together, accepts a local change, and rolls back to an old revision (${lang})`, async ({
    page,
  }) => {
    const gateway = await newGateway();
    const admin = await as('admin');
    await loginAt(page, admin, `/device/detail/${gateway.deviceId}`, { lang });
    const head = page.locator('.detail-head');
    await expect(head).toContainText(gateway.sn);
    await button(head, t('网关配置', 'Configuration')).click();
    await expect(main(page)).toContainText(t('没有待下发的草稿', 'there are no drafts'));

    await open(page, 'dns', t('DNS设置', 'DNS'));
    await expect(page).toHaveURL(/page=network_dns/);
    const ttl = box(main(page), t('最小缓存时间', 'Minimum TTL'));
    await ttl.fill('9000');
    await ttl.blur();
    await expect(main(page)).toContainText(t('应为0到3600之间的整数', 'A whole number from 0 to 3600'));
    await expect(main(page)).toContainText(t('草稿尚未保存', 'The draft is not saved yet'));
    await ttl.fill('600');
    await ttl.blur();
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));
    await expectAccessible(page, 'configuration page');

    await open(page, t('WAN设置', 'WAN'), t('WAN设置', 'WAN'));
    await button(main(page), t('编辑 wan_6d', 'Edit wan_6d')).click();
    await box(dialog(page), 'MTU').fill('1400');
    await expectAccessible(page);
    await confirm(dialog(page), lang);
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));
    await expect(bar(page)).toContainText(t('2 页有草稿', '2 pages have drafts'));
    await page.goBack();
    await expect(ttl).toHaveValue('600');

    await button(bar(page), t('核对并下发', 'Review and apply')).click();
    const review = dialog(page, t('核对并下发', 'Review and apply'));
    await expect(review.getByRole('row', { name: t('最小缓存时间', 'Minimum TTL') })).toContainText(t('300 秒', '300 s'));
    await expect(review.getByRole('row', { name: t('最小缓存时间', 'Minimum TTL') })).toContainText(t('600 秒', '600 s'));
    await expect(review.getByRole('row', { name: /wan_6d · MTU/ })).toContainText('1,400 B');
    await box(review, t('失联自动回退', 'Roll back if lost')).fill('10');
    await expect(button(review, t('下发 2 页', 'Apply 2 pages'))).toBeDisabled();
    await box(review, t('失联自动回退', 'Roll back if lost')).fill('60');
    await box(review, t('说明（可选）', 'Note (optional)')).fill(t('调整DNS与MTU', 'Tune DNS and MTU'));
    await expectAccessible(page, 'review');
    await button(review, t('下发 2 页', 'Apply 2 pages')).click();
    await expect(strip(page).locator('li[data-is=done]')).toHaveCount(4);
    await expect(bar(page)).toHaveCount(0);
    await expect(main(page)).toContainText(t('已生效', 'Applied'));
    const { sections } = await gateway.groundTruth();
    expect(sections.network_dns?.doc).toMatchObject({ min_ttl: 600 });
    expect(sections.network_wan?.doc).toEqual(await docOf(gateway, 'network_wan'));

    await gateway.changeLocally('network_dns', { ...sections.network_dns?.doc, min_ttl: 60 });
    await expect(main(page)).toContainText(t('有人在网关上修改了本页', 'This page was changed at the gateway'));
    await button(main(page), t('查看两个版本', 'See both versions')).click();
    const drift = dialog(page, t('网关上的修改', 'Changed at the gateway'));
    await expect(drift.getByRole('row', { name: t('最小缓存时间', 'Minimum TTL') })).toContainText(t('600 秒', '600 s'));
    await expect(drift.getByRole('row', { name: t('最小缓存时间', 'Minimum TTL') })).toContainText(t('60 秒', '60 s'));
    await button(drift, t('采用网关版本', 'Accept the gateway version')).click();
    await expect(ttl).toHaveValue('60');
    await expect(main(page)).toContainText(t('已生效', 'Applied'));

    await button(main(page), t('历史版本', 'History')).click();
    const history = dialog(page, t('历史版本', 'History'));
    await button(history, starts('版本 1', 'Revision 1')).click();
    await expect(history.getByRole('row', { name: t('最小缓存时间', 'Minimum TTL') })).toContainText(t('600 秒', '600 s'));
    await button(history, t('恢复为草稿', 'Restore as a draft')).click();
    await expect(ttl).toHaveValue('600');
    await button(bar(page), t('核对并下发', 'Review and apply')).click();
    await button(dialog(page, t('核对并下发', 'Review and apply')), t('下发 1 页', 'Apply 1 page')).click();
    await expect.poll(async () => (await gateway.groundTruth()).sections.network_dns?.doc).toMatchObject({ min_ttl: 600 });
    await expect(main(page)).toContainText(t('已生效', 'Applied'));
  });

  test(`queues and withdraws an apply for an offline gateway, names the other operator, and shows refusals and secrets (${lang})`, {
    tag: '@all',
  }, async ({ page }) => {
    const [admin, gateway] = await Promise.all([as('admin'), newGateway()]);
    const role = await makeRole(admin, grantsOf(), { gateway_permissions: { gw_network_cellular: '11', gw_network_wan: '10' } });
    const other = await logIn((await makeStaff(admin, grantsOf(), { role_id: role.id })).username);
    await gateway.power('off');
    await loginAt(page, admin, `/device/gateway-config/${gateway.deviceId}?page=network_cellular`, {
      lang,
      theme: lang === 'en' ? 'dark' : 'light',
    });
    const head = page.locator('.config-head');
    await expect(head.getByText(t('离线', 'Offline'), { exact: true })).toBeVisible();
    await box(main(page), 'APN').fill('cmnet');
    const secret = box(main(page), t('APN密码', 'APN password'));
    await secret.fill('tide-table-9');
    await secret.blur();
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));
    await button(bar(page), t('核对并下发', 'Review and apply')).click();
    const review = dialog(page, t('核对并下发', 'Review and apply'));
    await expect(review).toContainText(t('设备离线，上线后自动下发', 'The device is offline. Changes are sent when it comes online.'));
    await expect(review.getByRole('row', { name: t('APN密码', 'APN password') })).toContainText(t('已变更', 'Changed'));
    await expect(review).not.toContainText('tide-table-9');
    await expectAccessible(page);
    await button(review, t('下发 1 页', 'Apply 1 page')).click();
    await expect(strip(page)).toContainText(t('设备离线', 'The device is offline'));
    await page.reload();
    await expect(main(page).locator('.secret-set')).toContainText(t('已设置', 'Set'));
    expect(await page.content()).not.toContain('tide-table-9');
    await button(strip(page), t('撤回', 'Withdraw')).click();
    await expect(dialog(page, t('提示', 'Please confirm'))).toContainText(
      `${t('对象：', 'For ')}${gateway.sn} · ${t('4G/5G设置', 'Cellular')}`,
    );
    await confirm(dialog(page), lang);
    await expect(strip(page)).toContainText(t('已撤回', 'Withdrawn'));
    await expect(box(main(page), 'APN')).toHaveValue('');

    await gateway.power('on');
    await expect(head.getByText(t('在线', 'Online'), { exact: true })).toBeVisible();
    await box(main(page), 'MTU').fill('1400');
    await box(main(page), 'MTU').blur();
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));
    const faster = { device_id: gateway.deviceId, page: 'network_cellular' };
    const { doc, rev } = await other.call(configCalls.page, faster);
    await other.call(configCalls.draft, { ...faster, base_rev: rev, doc: { ...doc, redial_limit: 9 } });
    await expect(main(page)).toContainText(t('也有本页的草稿', 'also has a draft of this page'));
    await other.call(configCalls.apply, { device_id: gateway.deviceId, pages: ['network_cellular'], keep: 0 });
    await expect(main(page)).toContainText(t('已生效', 'Applied'));
    await button(bar(page), t('核对并下发', 'Review and apply')).click();
    await expect(review).toContainText(t('下发了新版本', 'applied revision'));
    await gateway.fault({ reject: ['network_cellular'] });
    await button(review, t('覆盖并下发', 'Overwrite and apply')).click();
    await expect(strip(page)).toContainText(t('网关拒绝', 'Refused'));
    await expect(main(page)).toContainText(t('网关未接受', 'Refused by the gateway'));
    await gateway.fault({ clear: true });

    await button(page, t('账号权限', 'Account permissions')).click();
    const grants = dialog(page, t('网关账号权限', 'Gateway account permissions'));
    await grants
      .getByRole('radiogroup', { name: t('网络设置', 'Network'), exact: true })
      .getByText(t('可操作', 'Operable'))
      .click();
    await button(grants, t('保存', 'Save')).click();
    await expect(toast(page)).toContainText(t('权限已保存', 'Permissions saved'));

    const theirs = await page.context().newPage();
    await loginAt(theirs, other, `/device/gateway-config/${gateway.deviceId}?page=network_wan`, { lang });
    await expect(main(theirs)).toContainText(t('您仅有查看权限', 'You have view-only permission'));
    await expect(button(main(theirs), t('新增', 'Add'))).toHaveCount(0);
    await expect(theirs.getByRole('navigation', { name: t('配置页面', 'Configuration pages') }).getByRole('link')).toHaveText([
      t('WAN设置', 'WAN'),
      t('4G/5G设置', 'Cellular'),
    ]);
  });

  test(`pastes, orders and filters rows, and draws a fence on the map, also across the date line (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const [admin, gateway] = await Promise.all([as('admin'), newGateway()]);
    await loginAt(page, admin, `/device/gateway-config/${gateway.deviceId}?page=network_policy_route`, { lang });
    await button(main(page), t('批量粘贴', 'Paste rows')).click();
    const heads = [t('名称', 'Name'), t('序号', 'Order'), t('指定链路', 'Link')].join('\t');
    const sheet = dialog(page, t('批量粘贴', 'Paste rows'));
    await box(sheet, t('批量粘贴', 'Paste rows')).fill(`${heads}\nvoice\t10\tVSAT\nbulk\tlast\twan_leo\nlogs\t20\twan_leo`);
    await expect(sheet).toContainText(t('第3行：序号：格式不正确', 'Line 3: Order: Not a valid value'));
    await box(sheet, t('批量粘贴', 'Paste rows')).fill(`${heads}\nvoice\t10\twan_6d\nbulk\t30\twan_leo\nlogs\t20\twan_leo`);
    await button(sheet, t('加入 3 行', 'Add rows (3)')).click();
    const names = main(page).locator('.row-key > button');
    await expect(names).toHaveText(['voice', 'logs', 'bulk']);
    await button(main(page), t('上移 bulk', 'Move up bulk')).click();
    await expect(names).toHaveText(['voice', 'bulk', 'logs']);
    await box(main(page), t('筛选', 'Filter')).fill('LEO');
    await expect(names).toHaveText(['bulk', 'logs']);
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));

    await open(page, 'fence_area', t('围栏区域', 'Fence areas'));
    await button(main(page), t('新增', 'Add')).click();
    const form = dialog(page, t('新增 · 围栏区域', 'Add · Fence areas'));
    await box(form, t('名称', 'Name')).fill('Harbour');
    await confirm(form, lang);
    await expect(form).toContainText(t('请选择围栏多边形', 'Please select polygon'));
    await button(form, t('在地图上绘制', 'Draw on the map')).click();
    const map = form.locator('.world-map');
    await map.scrollIntoViewIfNeeded();
    const corners = [
      [200, 80],
      [320, 80],
      [260, 180],
    ] as const;
    for (const [x, y] of corners) await map.click({ position: { x, y } });
    await map.click({ position: { x: 200, y: 80 } });
    await expect(form).toContainText(t('3 个顶点', '3 corners'));
    await expectAccessible(page);
    await button(form, t('粘贴坐标', 'Paste coordinates')).click();
    await box(form, t('每行一个点：经度, 纬度', 'One point per line: longitude, latitude')).fill('175, 10\n-175, 10\n-175, -10\n175, -10');
    await button(form, t('采用', 'Use these')).click();
    await expect(form).toContainText(t('4 个顶点', '4 corners'));
    await box(form, t('第1点 经度', 'Corner 1 Longitude')).fill('176');
    await box(form, t('第1点 经度', 'Corner 1 Longitude')).blur();
    await confirm(form, lang);
    await expect(main(page)).toContainText(t('草稿已保存，尚未下发', 'Draft saved, not applied yet'));
    const { draft } = await admin.call(configCalls.page, { device_id: gateway.deviceId, page: 'fence_area' });
    expect(draft?.doc).toMatchObject({
      rows: [
        {
          name: 'Harbour',
          polygon: [
            [176, 10],
            [-175, 10],
            [-175, -10],
            [175, -10],
          ],
        },
      ],
    });
  });
}
