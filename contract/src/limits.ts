/** All constants of spec §9, and the limits of our decisions. They are defined only here. */
export const limits = {
  loadingMs: 200,
  inactivityMs: 900_000,
  inactivityCheckMs: 180_000,
  requestTimeoutMs: 180_000,
  chunkTimeoutMs: 120_000,
  languageReloadMs: 1000,
  loginRedirectMs: 800,
  captchaClearMs: 500,
  notFoundReturnS: 5,
  notificationMs: 3000,
  /** A notification with a link stays longer, so that it can be clicked. */
  linkNotificationMs: 8_000,
  notificationOffset: 65,
  smsCountdownS: 60,
  captchaLength: 4,
  smsCodeLength: 6,
  accountMax: 32,
  phoneMax: 32,
  optionPage: 1,
  optionLimit: 10_000,
  page: 1,
  limit: 10,
  pageSizes: [10, 20, 50, 100],
  localPageSizes: [10, 20, 50, 100, 200, 500, 1000],
  pagerCount: 5,
  filterColumns: 5,
  inputMax: 25,
  dialogWidth: 500,
  dialogTop: '15vh',
  transferFailMinutes: 15,
  mailboxesPerDevice: 3,
  accountsPerDevice: 20_000,
  allowLogins: [1, 255],
  portalName: [1, 15],
  photoNameMax: 24,
  passwordFixed: [6, 18],
  imageBytes: 2 * 1024 * 1024,
  zipBytes: 1024 * 1024,
  certBytes: 1024 * 1024,
  logoSize: '190x60',
  agentModes: [1, 2, 4],

  agentDepth: 8,
  listLimit: 100,
  selectionMax: 500,
  queryMonths: 3,
  billMonths: 12,
  /** Days of a traffic query without a time range, points of a chart series, and rows that can be sorted without an index. */
  flowDays: 7,
  chartPoints: 500,
  flowSortRows: 100_000,
  loadMonths: 12,
  /** Maximum amount of one bill in yuan. */
  billMax: '99999999.99',
  importRows: 20_000,
  /** Accounts opened during the request; more are opened in the background. */
  openAtOnce: 500,
  /** Rows of an import of dangerous websites, and enabled entries of the list. */
  dangerImportRows: 100_000,
  dangerSites: 200_000,
  cardTypes: 10,
  /** Errors of an opening in its response; the report has all. */
  namedFaults: 100,
  cardsPerBatch: 50_000,
  /** Maximum value of one card in yuan. */
  cardValueMax: 1_000_000,
  cardPeriods: 36,
  /** Failed card attempts of one operator within this number of seconds. */
  cardTries: 10,
  cardTriesS: 600,
  /** Seconds until an order expires. */
  payOrderS: 900,
  /** Waiting jobs of one account: exports, and those of each other kind. */
  waitingExports: 5,
  waitingJobs: 20,
  prefixMax: 8,
  captchaTtlS: 120,
  smsTtlS: 300,
  smsTries: 5,
  smsPerDay: 10,
  remoteTokenTtlS: 60,
  rememberDays: 30,
  publicCallsPerMinute: 300,
  billNoMax: 32,
  /** Seconds in which a repeated Idempotency-Key gets the first response. */
  idempotencyS: 86_400,
  /** Milliseconds in which a resent write without a response counts as the same attempt. */
  retryMs: 300_000,
  firmwareBytes: 256 * 1024 * 1024,
  /** Files for devices: largest size, sizes of some types, size of a single-request upload, and chunk size. */
  fileBytes: 1024 * 1024 * 1024,
  fileConfigBytes: 64 * 1024 * 1024,
  fileScriptBytes: 2 * 1024 * 1024,
  fileWholeBytes: 32 * 1024 * 1024,
  fileChunkBytes: 4 * 1024 * 1024,
  /** Open chunked uploads of one login, and hours until one expires. */
  fileUploads: 5,
  fileUploadHours: 72,
  fileDevices: 500,
  /** Download attempts before a file counts as failed. */
  fileTries: 4,
  /** Largest file of a reporting task, its largest content, and its longest line. */
  dpiFileBytes: 256 * 1024 * 1024,
  dpiContentBytes: 2 * 1024 * 1024 * 1024,
  dpiLineBytes: 128 * 1024,
  /** Largest ratio of content to file, above the first megabyte. */
  dpiRatio: 200,
  /** Highest limits of an order, in KB/s and MB. */
  dpiSpeed: 1_000_000,
  dpiFlow: 1_000_000,
  backupBytes: 64 * 1024 * 1024,
  /** Older backups of a device are deleted. */
  backupsPerDevice: 20,
  backupEveryDays: 7,
  /** Minutes for a gateway to report the new version after the installation. */
  upgradeCheckMinutes: 15,
  /** Hours that an offline or L-band device can wait, and hours that a started upgrade can take. */
  upgradeWaitHours: 24,
  upgradeRunHours: 6,
  upgradeAheadDays: 30,
  /** Percentage of failed devices in a wave that stops the campaign. */
  upgradeFailPercent: 20,
  /** Devices of one campaign that download at the same time. */
  upgradeAtOnce: 20,
  /** The count stops here, earlier if rows must be filtered. A list shows "more than" until the exact number is requested. */
  countCap: 10_000,
  countCapFiltered: 1000,
  announcementTitleMax: 50,
  /** Feedback of a subscriber: characters, images, and submissions per account and per client (MAC) in 24 hours. */
  feedbackMax: 512,
  feedbackImages: 3,
  feedbackPerDay: 10,
  /** Minutes before and after a feedback in which its device is shown. */
  feedbackContextMinutes: 30,
  /** Devices that need attention: hours since a failed task, days until the authorization ends, and a usage above this many times the usual. */
  failingHours: 24,
  expiringDays: 30,
  unusualTimes: 3,
  unusualDays: 7,
  unusualBytes: 1024 * 1024 * 1024,
  /** Points of the fleet map; a larger fleet is grouped by degree. Seconds between two refreshes of the dashboard. */
  fleetPoints: 2000,
  homeRefreshS: 10,
  /** Devices that one page can follow live, and streams per operator and per process. */
  liveIds: 500,
  liveStreamsPerLogin: 10,
  liveStreams: 2000,
  /** Open runs of action pages per gateway, and retention and size of their files. */
  runsPerDevice: 5,
  runFileDays: 30,
  runFileBytes: 512 * 1024 * 1024,
  /** Remote access: lifetime of a ticket, and time for the gateway to open its tunnel. */
  remoteTicketS: 60,
  remoteOpenS: 60,
  /** Limits of a session: idle time, duration and bytes. */
  remoteIdleS: 900,
  remoteMaxS: 4 * 3600,
  remoteBytes: 512 * 1024 * 1024,
  /** Connections to the device within one session; sessions per login and per device. */
  remoteChannels: 8,
  remotePerLogin: 5,
  remotePerDevice: 5,
  /** Recording limits of a session, and their retention. */
  remoteRecordBytes: 8 * 1024 * 1024,
  remoteRequests: 5000,
  remoteRetentionDays: 180,
  /** Audit data: days of a query without a time range, and characters of the reason to look. */
  auditDays: 7,
  auditReason: [4, 200],
} as const;
