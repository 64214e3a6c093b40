import { announcementCalls, receivedAnnouncementCalls } from '@farlink/contract/advanced/announcement.ts';
import { apLinkNotificationCalls } from '@farlink/contract/advanced/ap-link-notification.ts';
import { authorizationCalls as calls } from '@farlink/contract/advanced/authorization.ts';
import { deviceStatusNotifyCalls } from '@farlink/contract/advanced/device-status-notify.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { nasCalls } from '@farlink/contract/advanced/nas.ts';
import { nasDetailCalls } from '@farlink/contract/advanced/nas-detail.ts';
import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { tempReleaseCalls } from '@farlink/contract/advanced/temp-release.ts';
import { bindAll } from '../../kit/http/serve.ts';
import {
  createAnnouncement,
  listAnnouncements,
  readAnnouncement,
  removeAnnouncement,
  sendAnnouncement,
  updateAnnouncement,
} from './announcement.ts';
import { createApRule, listApRules, removeApRule, updateApRule } from './ap-link-notification.ts';
import { activateLicense, listLicenses } from './authorization.ts';
import { dangerSiteBindings } from './danger-site/index.ts';
import { createStatusRule, listStatusRules, removeStatusRule, updateStatusRule } from './device-status-notify.ts';
import { mailReady, readMailServer, saveMailServer } from './mail-server.ts';
import { createNas, listNas, removeNas, revealNas, rotateNas, updateNas } from './nas.ts';
import { listNasCoa, listNasRejections, readNas } from './nas-detail.ts';
import { countReceived, listReceived, markReceived } from './received-announcements.ts';
import { readSystemStatus } from './system-status.ts';
import {
  createTempRelease,
  listTempReleaseRecords,
  listTempReleases,
  readTempRelease,
  removeTempRelease,
  updateTempRelease,
} from './temp-release.ts';
import { testMail } from './test-mail.ts';

export const advancedBindings = [
  ...bindAll(calls, { list: listLicenses, activate: activateLicense }),
  ...bindAll(deviceStatusNotifyCalls, {
    list: listStatusRules,
    create: createStatusRule,
    update: updateStatusRule,
    remove: removeStatusRule,
  }),
  ...bindAll(apLinkNotificationCalls, { list: listApRules, create: createApRule, update: updateApRule, remove: removeApRule }),
  ...bindAll(announcementCalls, {
    list: listAnnouncements,
    create: createAnnouncement,
    read: readAnnouncement,
    update: updateAnnouncement,
    send: sendAnnouncement,
    remove: removeAnnouncement,
  }),
  ...bindAll(systemStatusCalls, { read: readSystemStatus }),
  ...bindAll(receivedAnnouncementCalls, { received: listReceived, unread: countReceived, markRead: markReceived }),
  ...bindAll(nasCalls, {
    list: listNas,
    create: createNas,
    update: updateNas,
    remove: removeNas,
    rotate: rotateNas,
    reveal: revealNas,
  }),
  ...bindAll(nasDetailCalls, { read: readNas, rejections: listNasRejections, coa: listNasCoa }),
  ...bindAll(tempReleaseCalls, {
    list: listTempReleases,
    create: createTempRelease,
    read: readTempRelease,
    update: updateTempRelease,
    remove: removeTempRelease,
    records: listTempReleaseRecords,
  }),
  ...dangerSiteBindings,
  ...bindAll(mailServerCalls, { read: readMailServer, save: saveMailServer, test: testMail, ready: mailReady }),
];
