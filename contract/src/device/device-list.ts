import { upgradeActions, upgradeForms } from '../firmware/upgrade.ts';
import { page } from '../kit/page.ts';
import { exportActions } from '../kit/page-actions.ts';
import { headOf } from '../menu.ts';
import { vnoCalls } from '../vno/vno.ts';
import { deviceCalls } from './device.ts';
import { deviceActions, deviceForms, passwordForm } from './device-actions.ts';
import { deviceDetailCalls } from './device-detail.ts';
import { device } from './device-resource.ts';
import { deviceViews } from './device-views.ts';
import { remoteActions, remoteHistory } from './remote.ts';
import { transferActions, transferForm } from './transfer.ts';

const { edit, replace, auth, lift, portal, approve, reject, resetBinding, delete: remove } = deviceActions;
const { detail, gateway, restart, onlineUser, load, account } = deviceViews;
const { router, ac, telnet, antenna } = remoteActions;
const { upgrade, rollback } = upgradeActions;
const { give, clearGive, transfers } = transferActions;

export const deviceList = page({
  ...headOf('deviceList'),
  resource: device,
  list: deviceCalls.list,
  forms: { ...deviceForms, ...upgradeForms, give: transferForm, devicePwd: passwordForm },
  actions: {
    // The form loads the current device with this call.
    detail: { ...detail, call: deviceDetailCalls.read },
    edit,
    gateway,
    onlineUser,
    load,
    account,
    router,
    ac,
    antenna,
    telnet,
    restart,
    remoteHistory,
    setGroup: { on: 'batch', label: ['设置设备组', 'Set group'], call: deviceCalls.setGroup, form: 'setGroup' },
    auth,
    lift,
    upgrade,
    rollback,
    portal,
    give,
    clearGive,
    transfers,
    replace,
    approve,
    reject,
    resetBinding,
    delete: remove,
    devicePwd: { on: 'toolbar', label: ['设备密码', 'Device password'], call: vnoCalls.devicePwd, form: 'devicePwd' },
    groups: { on: 'toolbar', label: ['设备组管理', 'Groups'], to: '/device/group' },
    ...exportActions(deviceCalls),
  },
});
