/** Every constant of the specification's §9, and the bounds that our decisions add. Nothing else in the system repeats them. */
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
  /** A notice that can be followed must stay long enough to be reached. */
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
  loadMonths: 12,
  /** Yuan; what one bill may come to. */
  billMax: '99999999.99',
  importRows: 20_000,
  /** Accounts that are opened while the caller waits; more are opened in the background. */
  openAtOnce: 500,
  cardTypes: 10,
  /** Faults of an opening that its answer names; the report has all. */
  namedFaults: 100,
  cardsPerBatch: 50_000,
  /** Yuan; what one card may be worth. */
  cardValueMax: 1_000_000,
  cardPeriods: 36,
  /** Wrong numbers or passwords of cards that one operator may try in so many seconds. */
  cardTries: 10,
  cardTriesS: 600,
  /** How long a payer has for an order. */
  payOrderS: 900,
  prefixMax: 8,
  captchaTtlS: 120,
  smsTtlS: 300,
  smsTries: 5,
  smsPerDay: 10,
  remoteTokenTtlS: 60,
  rememberDays: 30,
  publicCallsPerMinute: 300,
  billNoMax: 32,
  /** How long a repeated Idempotency-Key gets the first answer. */
  idempotencyS: 86_400,
  /** How long a write that got no answer counts as the same attempt when it is sent again. */
  retryMs: 300_000,
  firmwareBytes: 256 * 1024 * 1024,
  /** Files for devices: the largest, and those of single types; what comes whole, and the parts of what does not. */
  fileBytes: 1024 * 1024 * 1024,
  fileConfigBytes: 64 * 1024 * 1024,
  fileScriptBytes: 2 * 1024 * 1024,
  fileWholeBytes: 32 * 1024 * 1024,
  filePartBytes: 4 * 1024 * 1024,
  /** Uploads in parts that one login may have under way, and how long one waits to be gone on with. */
  fileUploads: 5,
  fileUploadHours: 72,
  fileDevices: 500,
  /** How often a download that failed is begun before it counts as failed. */
  fileTries: 4,
  backupBytes: 64 * 1024 * 1024,
  /** Older ones of a device make room. */
  backupsPerDevice: 20,
  backupEveryDays: 7,
  /** A gateway that has installed must be back with the new version by then. */
  upgradeCheckMinutes: 15,
  /** So long waits a device that is offline or on L-band, and so long one that has begun may take. */
  upgradeWaitHours: 24,
  upgradeRunHours: 6,
  upgradeAheadDays: 30,
  /** Share of a wave, in percent; when more have failed nothing further begins. */
  upgradeFailPercent: 20,
  /** Devices of one campaign that download at the same time. */
  upgradeAtOnce: 20,
  /** Counting stops here, sooner where each row must be looked at; a list says "more than" until asked for the exact number. */
  countCap: 10_000,
  countCapFiltered: 1000,
  /** Devices that one page may follow live, and streams of one operator and of one process. */
  liveIds: 500,
  liveStreamsPerLogin: 10,
  liveStreams: 2000,
  /** Deeds of action pages that may be open on one gateway, and how long what they left with the console is kept. */
  runsPerDevice: 5,
  runFileDays: 30,
  runFileBytes: 512 * 1024 * 1024,
  /** Remote access: how long a ticket is good for, how long a gateway has to bring its tunnel. */
  remoteTicketS: 60,
  remoteOpenS: 60,
  /** What ends a session: nobody used it, it has lasted or moved so much. */
  remoteIdleS: 900,
  remoteMaxS: 4 * 3600,
  remoteBytes: 512 * 1024 * 1024,
  /** Connections to the device at a time within one session; sessions of one login and to one device. */
  remoteChannels: 8,
  remotePerLogin: 5,
  remotePerDevice: 5,
  /** What is kept of a session, and how long. */
  remoteRecordBytes: 8 * 1024 * 1024,
  remoteRequests: 5000,
  remoteKeepDays: 180,
} as const;
