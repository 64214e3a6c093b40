export const protocolLimits = {
  packetBytes: 65_536,
  /** Messages of QoS 1 on their way in each direction. */
  inFlight: 16,
  topicAliases: 16,
  /** How long the console waits for a lost gateway before it says that it is offline. */
  willDelay: 30,
  rowsOfBatch: 4000,
  /** Command ids that a gateway remembers across reboots, so that none is executed twice. */
  commandsRemembered: 256,
} as const;
