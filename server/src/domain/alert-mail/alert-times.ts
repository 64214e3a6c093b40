/** Times of notification mails, in seconds. */
export const alertTimes = {
  /** A mail is sent when no further event arrived for `quiet`, or when the first event waited for `longest`. */
  quiet: 60,
  longest: 300,
  /** Minimum time between two mails about the same event. */
  repeat: 600,
  /** After a restart of the console, gateways have this long to reconnect before they count as offline. */
  reconnect: 300,
  /** Alert before an authorization ends. */
  expiring: 7 * 86_400,
  /** Retention of sent alerts. */
  retention: 30 * 86_400,
} as const;
