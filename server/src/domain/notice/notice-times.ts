/** Pace of notification mails, in seconds. */
export const noticeTimes = {
  /** A mail is sent when no further event arrived for `quiet`, or when the first event waited for `longest`. */
  quiet: 60,
  longest: 300,
  /** The same event is not sent again earlier. */
  repeat: 600,
  /** After a restart of the console, gateways have this long to reconnect before they count as offline. */
  reconnect: 300,
  /** Notice before an authorization ends. */
  expiring: 7 * 86_400,
  /** Sent notices are remembered this long. */
  retention: 30 * 86_400,
} as const;
