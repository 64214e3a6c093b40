import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Page } from '@playwright/test';
import { newGateway } from './support/field.ts';
import { loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { menuItem, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const list = (sn: string) => `/device/list?sn=${sn}`;

/** Runs an action that opens a new tab. */
const open = async (page: Page, sn: string, action: string): Promise<Page> => {
  const tab = page.waitForEvent('popup');
  await runAction(rowOf(page, sn), action);
  return tab;
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`opens the pages behind a gateway on separate origins, and ends them when the link changes (${lang})`, async ({ page }) => {
    const { vno, ...gateway } = await newGateway();
    await loginAt(page, vno, list(gateway.sn), { lang });
    const router = await open(page, gateway.sn, t('远程路由器', 'Remote router'));
    await router.getByLabel('Account').fill('admin');
    await router.getByLabel('Password').fill('admin');
    await router.getByRole('button', { name: 'Log in' }).click();
    await expect(router.getByRole('row', { name: `SN ${gateway.sn}`, exact: true })).toBeVisible();
    // Background requests of the page work as well.
    await expect(router.locator('#live')).toContainText('uptime');
    await router.getByRole('link', { name: 'wifi' }).click();
    await router.getByLabel('SSID').fill('Bridge');
    await router.getByRole('button', { name: 'Save' }).click();
    await expect(router.getByLabel('SSID')).toHaveValue('Bridge');

    // The remote page cannot reach the console or its opener.
    const console = new URL(page.url()).origin;
    expect(new URL(router.url()).origin).not.toBe(console);
    expect(await router.evaluate(() => window.opener)).toBeNull();
    const reached = await router.evaluate(
      (url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => 'reached',
          () => 'kept away',
        ),
      `${console}/agt/v1/captcha`,
    );
    expect(reached).toBe('kept away');
    expect(
      await router.evaluate(() =>
        navigator.serviceWorker.register('/static/app.js').then(
          () => 'stays',
          () => 'kept away',
        ),
      ),
    ).toBe('kept away');

    const ac = await open(page, gateway.sn, t('远程AC', 'Remote AC'));
    await expect(ac.getByRole('heading', { name: 'Access points' })).toBeVisible();
    expect(new URL(ac.url()).origin).not.toBe(new URL(router.url()).origin);
    const antenna = await open(page, gateway.sn, t('远程天线', 'Remote antenna'));
    await expect(antenna.getByRole('cell', { name: 'Elevation' })).toBeVisible();

    await gateway.link('l_band');
    await expect
      .poll(async () => {
        await antenna.reload();
        return await antenna.getByRole('heading').textContent();
      })
      .toBe(t('远程会话已结束', 'The remote session has ended'));
    // A new link has a new address, so the tunnel is lost.
    await expect(antenna.getByText(t('隧道中断', 'The tunnel was lost'))).toBeVisible();
    await expectAccessible(antenna);
    const row = rowOf(page, gateway.sn);
    await expect(row).toContainText(t('L波段', 'L-band'));
    await row.getByRole('button', { name: new RegExp(`^${t('更多', 'More')}`) }).click();
    await expect(await menuItem(page, t('远程天线', 'Remote antenna'))).toBeDisabled();
  });

  test(`connects a terminal to a gateway, records it without the password, and replays it (${lang})`, async ({ page }) => {
    const { vno, ...gateway } = await newGateway();
    await loginAt(page, vno, list(gateway.sn), { lang });
    const tab = await open(page, gateway.sn, t('远程Telnet', 'Remote Telnet'));
    const screen = tab.locator('.xterm-rows');
    await expect(screen).toContainText(`${gateway.sn} login:`);
    await expect(tab.getByRole('status')).toHaveText(t('已连接', 'Connected'));
    const keys = tab.getByLabel(t('终端输入', 'Terminal input'));
    // Input before the prompt is not echoed, so it is not recorded.
    for (const [text, prompt] of [
      ['admin', 'Password:'],
      ['admin', '>'],
    ] as const) {
      await keys.pressSequentially(`${text}\n`);
      await expect(screen).toContainText(prompt);
    }
    await keys.pressSequentially('show version\n');
    await expect(screen).toContainText('Firmware');
    await expectAccessible(tab, 'terminal');
    await keys.pressSequentially('exit\n');
    await expect(tab.getByText(t('会话已结束：设备结束了会话', 'Session ended: Ended by the device'))).toBeVisible();

    await runAction(rowOf(page, gateway.sn), t('远程记录', 'Remote sessions'));
    const panel = page.getByRole('dialog').filter({ hasText: t('远程记录', 'Remote sessions') });
    const line = panel.getByRole('row').filter({ hasText: 'Telnet' });
    await expect(line).toContainText(t('设备结束了会话', 'Ended by the device'));
    await runAction(line, t('回放', 'Replay'));
    const player = page.getByRole('dialog').filter({ hasText: t('终端回放 ·', 'Replay ·') });
    await player.getByLabel(t('播放位置', 'Position')).press('End');
    await expect(player.locator('.xterm-rows')).toContainText('show version');
    await expect(player.locator('.xterm-rows')).toContainText('Password:');
    await expect(player.getByRole('button', { name: t('重播', 'Play again') })).toBeVisible();
    await expectAccessible(page);
  });
}
