import { apLinkNoticeCalls } from '@farlink/contract/advanced/ap-link-notice.ts';
import { authorizationCalls as calls } from '@farlink/contract/advanced/authorization.ts';
import { deviceStatusNotifyCalls } from '@farlink/contract/advanced/device-status-notify.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { bind } from '../../kit/http/serve.ts';
import { createApRule, listApRules, removeApRule, updateApRule } from './ap-link-notice.ts';
import { activateLicense, listLicenses } from './authorization.ts';
import { createStatusRule, listStatusRules, removeStatusRule, updateStatusRule } from './device-status-notify.ts';
import { mailReady, readMailServer, saveMailServer } from './mail-server.ts';
import { testMail } from './test-mail.ts';

export const advancedBindings = [
  bind(calls.list, listLicenses),
  bind(calls.activate, activateLicense),
  bind(deviceStatusNotifyCalls.list, listStatusRules),
  bind(deviceStatusNotifyCalls.create, createStatusRule),
  bind(deviceStatusNotifyCalls.update, updateStatusRule),
  bind(deviceStatusNotifyCalls.remove, removeStatusRule),
  bind(apLinkNoticeCalls.list, listApRules),
  bind(apLinkNoticeCalls.create, createApRule),
  bind(apLinkNoticeCalls.update, updateApRule),
  bind(apLinkNoticeCalls.remove, removeApRule),
  bind(mailServerCalls.read, readMailServer),
  bind(mailServerCalls.save, saveMailServer),
  bind(mailServerCalls.test, testMail),
  bind(mailServerCalls.ready, mailReady),
];
