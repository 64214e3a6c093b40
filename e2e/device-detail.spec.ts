import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { makePackage } from './support/billing.ts';
import { openAccount } from './support/billing-fixture.ts';
import { type NewGateway, newGateway } from './support/field.ts';
import { confirm, input, line } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { menuItem, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, sharedVno } from './support/world.ts';

const head = (page: Page) => page.locator('.detail-head');
const strip = (page: Page) => page.locator('.fact-strip');
const panel = (page: Page) => page.getByRole('tabpanel');
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

/** Runs an action of the page, from the toolbar or its menu. */
const openAction = async (page: Page, name: string) => {
  const inLine = head(page).getByRole('button', { name, exact: true });
  await expect(head(page)).toBeVisible();
  if ((await inLine.count()) > 0) return inLine.click();
  await head(page)
    .getByRole('button', { name: /^(更多|More)/ })
    .click();
  await (await menuItem(page, name)).click();
};

/** Creates an account that can log in behind this gateway. */
const makeSailor = async ({ vno, deviceId }: NewGateway) => {
  const sold = await makePackage(vno, [deviceId]);
  return openAccount({ seller: vno, device: { id: deviceId, label: '' }, package: sold });
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    online: t('在线', 'Online'),
    offline: t('离线', 'Offline'),
    inUse: new RegExp(t('使用中', 'In use')),
    users: t('在线用户', 'Online users'),
    load: t('设备负载', 'Load'),
    interval: t('负载采集周期', 'Load sampling interval'),
    applied: t('已生效', 'Applied'),
    video: t('视频设置', 'Video settings'),
    accounts: t('网关账号', 'Gateway account'),
  };

  test(`shows the state of a gateway and updates it live, without external requests (${lang})`, async ({ page }) => {
    const gateway = await newGateway({ at: [30.5, 123.5] });
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== new URL(process.env.E2E_URL ?? '').origin) foreign.push(request.url());
    });
    await loginAt(page, gateway.vno, `/device/detail/${gateway.deviceId}`, { lang });
    await expect(head(page)).toContainText(gateway.sn);
    await expect(head(page)).toContainText(labels.online);
    const links = page.getByRole('region', { name: t('WAN链路', 'WAN links') });
    const inUse = links.getByRole('row', { name: labels.inUse });
    await expect(inUse.getByRole('cell', { name: t('已连接', 'On'), exact: true })).toBeVisible();
    await expect(links.getByRole('list', { name: t('LAN口', 'LAN ports') })).toContainText('LAN1');
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await links.evaluate((section) => section.scrollWidth - section.clientWidth)).toBe(0);
    }
    await expect(page.getByRole('region', { name: t('位置与航迹', 'Position and track') })).toContainText('30.5000°N 123.5000°E');
    await expect(page.locator('.world-map canvas').first()).toBeVisible();
    await expect(panel(page)).toContainText(t('设备型号', 'Model'));
    await expectAccessible(page, 'device page');

    await gateway.link('6d');
    await expect(strip(page)).toContainText('6D');
    await expect(inUse).toContainText('6D');
    await tab(page, t('事件', 'History'));
    await expect(panel(page)).toContainText(/→ 6D/);
    await gateway.power('off');
    await expect(head(page)).toContainText(labels.offline);
    await expect(panel(page)).toContainText(t('离线：网关主动断开', 'Went offline: closed by the gateway'));
    await expect(links).toContainText(t('设备离线', 'Offline'));
    await gateway.power('on');
    await expect(head(page)).toContainText(labels.online);
    expect(foreign).toEqual([]);

    const stranger = await newVno();
    const other = await page.context().newPage();
    await loginAt(other, stranger, `/device/detail/${gateway.deviceId}`, { lang });
    await expect(other.getByRole('main')).toContainText(t('数据不存在', 'Not found'));
  });

  test(`kicks users, sets the sampling interval and the camera, and shows the state at the gateway (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const gateway = await newGateway();
    const { account } = await makeSailor(gateway);
    await loginAt(page, gateway.vno, `/device/detail/${gateway.deviceId}?tab=users`, { lang });
    await expect(head(page)).toContainText(labels.online);
    await gateway.signIn(account);
    const row = panel(page).getByRole('row').filter({ hasText: account });
    await expect(row).toContainText(labels.online);
    await runAction(row, t('强制下线', 'Kick offline'));
    await confirm(dialog(page), lang);
    await expect(toast(page)).toContainText(t('已通知网关', 'Request sent'));
    await expect(row).toHaveCount(0);
    expect((await gateway.groundTruth()).users).toEqual([]);
    await tab(page, t('下发命令', 'Commands'));
    await expect(
      panel(page)
        .getByRole('row')
        .filter({ hasText: t('强制用户下线', 'Kick user') }),
    ).toContainText(t('已完成', 'Done'));

    await tab(page, labels.load);
    await panel(page)
      .getByRole('button', { name: t('修改', 'Change'), exact: true })
      .click();
    const form = dialog(page, labels.interval);
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(form, t('采集周期（秒）', 'Interval (s)')).fill('30');
    await confirm(form, lang);
    await expect(panel(page)).toContainText(t('采集周期 30秒', 'Sampled every 30s'));
    await expect(panel(page)).toContainText(labels.applied);
    expect((await gateway.groundTruth()).sections.report?.doc).toEqual({ load: 30 });
    await gateway.changeLocally('report', { load: 5 });
    await expect(panel(page)).toContainText(t('网关已自行修改', 'Changed at the gateway'));
    await panel(page)
      .getByRole('button', { name: t('重新下发', 'Send again') })
      .click();
    await expect(panel(page)).toContainText(labels.applied);

    await openAction(page, labels.video);
    const camera = dialog(page, labels.video);
    await line(camera, t('启用视频', 'Enable video')).getByText(t('开启', 'On'), { exact: true }).click();
    await input(camera, t('视频流地址', 'Stream address')).fill('video.example.com');
    await input(camera, t('上行限速（kbps）', 'Up limit (kbps)')).fill('256');
    await confirm(camera, lang);
    await expect(toast(page)).toContainText(t('视频设置已下发', 'Video settings sent'));
    await tab(page, t('视频', 'Video'));
    await page.reload();
    await expect(panel(page)).toContainText('video.example.com');
    await expect(panel(page)).toContainText('256 kbps');
    await expect(panel(page)).toContainText(labels.applied);
    await tab(page, t('操作日志', 'Operator log'));
    await expect(panel(page)).toContainText(lang === 'zh' ? /修改设备 .+ 的视频设置/ : 'Changed the video settings of device');
  });

  test(`shows online users, load and gateway accounts of a device beside the list (${lang})`, { tag: '@all' }, async ({ page }) => {
    const gateway = await newGateway({ vno: await sharedVno() });
    const { account } = await makeSailor(gateway);
    await gateway.signIn(account);
    const theme = lang === 'en' ? 'dark' : 'light';
    await loginAt(page, gateway.vno, `/device/list?sn=${gateway.sn}`, { lang, theme });
    const row = rowOf(page, gateway.sn);
    const close = async (title: string) =>
      dialog(page, title)
        .getByRole('button', { name: t('关闭', 'Close'), exact: true })
        .click();
    await runAction(row, labels.users);
    await expect(dialog(page, labels.users)).toContainText(account);
    await close(labels.users);
    await runAction(row, labels.load);
    await expect(dialog(page, labels.load)).toContainText(new RegExp(t('使用率|该时间段没有采样', 'Usage|No samples in this period')));
    await expectAccessible(page);
    await close(labels.load);
    await runAction(row, labels.accounts);
    await expect(dialog(page, labels.accounts)).toContainText(t('权限角色', 'Role'));
  });
}
