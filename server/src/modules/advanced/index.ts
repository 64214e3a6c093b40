import { apNotifyCalls } from '@farlink/contract/advanced/ap-notify.ts';
import { authorizationCalls as calls } from '@farlink/contract/advanced/authorization.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { statusNotifyCalls } from '@farlink/contract/advanced/status-notify.ts';
import { bind } from '../../kit/serve.ts';
import { createApRule, listApRules, removeApRule, updateApRule } from './ap-notify.ts';
import { activateLicense, listLicenses } from './authorization.ts';
import { mailReady, readMailServer, saveMailServer } from './mail-server.ts';
import { createStatusRule, listStatusRules, removeStatusRule, updateStatusRule } from './status-notify.ts';
import { testMail } from './test-mail.ts';

export const advancedBindings = [
  bind(calls.list, listLicenses),
  bind(calls.activate, activateLicense),
  bind(statusNotifyCalls.list, listStatusRules),
  bind(statusNotifyCalls.create, createStatusRule),
  bind(statusNotifyCalls.update, updateStatusRule),
  bind(statusNotifyCalls.remove, removeStatusRule),
  bind(apNotifyCalls.list, listApRules),
  bind(apNotifyCalls.create, createApRule),
  bind(apNotifyCalls.update, updateApRule),
  bind(apNotifyCalls.remove, removeApRule),
  bind(mailServerCalls.read, readMailServer),
  bind(mailServerCalls.save, saveMailServer),
  bind(mailServerCalls.test, testMail),
  bind(mailServerCalls.ready, mailReady),
];
