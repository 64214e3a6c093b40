/** How the value of an attribute is encoded. `tagged` is a text after one tag byte (RFC 2868). */
export type AttributeKind = 'text' | 'int' | 'ip' | 'ip6' | 'octets' | 'tagged';

export interface AttributeSpec {
  readonly type: number;
  readonly vendor?: number;
  readonly kind: AttributeKind;
}

export const vendors = {
  hp: 11,
  microsoft: 311,
  huawei: 2011,
  wispr: 14_122,
  airespace: 14_179,
  chillispot: 14_559,
  mikrotik: 14_988,
} as const;
const { hp, microsoft, huawei, wispr, airespace, chillispot, mikrotik } = vendors;

/** Attributes of RFC 2865, 2866, 2868, 2869, 3162, 3576 and of the vendors that we use. */
export const attributes = {
  'User-Name': { type: 1, kind: 'text' },
  'User-Password': { type: 2, kind: 'octets' },
  'CHAP-Password': { type: 3, kind: 'octets' },
  'NAS-IP-Address': { type: 4, kind: 'ip' },
  'NAS-Port': { type: 5, kind: 'int' },
  'Service-Type': { type: 6, kind: 'int' },
  'Framed-IP-Address': { type: 8, kind: 'ip' },
  'Reply-Message': { type: 18, kind: 'text' },
  State: { type: 24, kind: 'octets' },
  Class: { type: 25, kind: 'octets' },
  'Session-Timeout': { type: 27, kind: 'int' },
  'Idle-Timeout': { type: 28, kind: 'int' },
  'Called-Station-Id': { type: 30, kind: 'text' },
  'Calling-Station-Id': { type: 31, kind: 'text' },
  'NAS-Identifier': { type: 32, kind: 'text' },
  'Proxy-State': { type: 33, kind: 'octets' },
  'Acct-Status-Type': { type: 40, kind: 'int' },
  'Acct-Delay-Time': { type: 41, kind: 'int' },
  'Acct-Input-Octets': { type: 42, kind: 'int' },
  'Acct-Output-Octets': { type: 43, kind: 'int' },
  'Acct-Session-Id': { type: 44, kind: 'text' },
  'Acct-Session-Time': { type: 46, kind: 'int' },
  'Acct-Input-Packets': { type: 47, kind: 'int' },
  'Acct-Output-Packets': { type: 48, kind: 'int' },
  'Acct-Terminate-Cause': { type: 49, kind: 'int' },
  'Acct-Multi-Session-Id': { type: 50, kind: 'text' },
  'Acct-Input-Gigawords': { type: 52, kind: 'int' },
  'Acct-Output-Gigawords': { type: 53, kind: 'int' },
  'Event-Timestamp': { type: 55, kind: 'int' },
  'CHAP-Challenge': { type: 60, kind: 'octets' },
  'NAS-Port-Type': { type: 61, kind: 'int' },
  'EAP-Message': { type: 79, kind: 'octets' },
  'Message-Authenticator': { type: 80, kind: 'octets' },
  'Tunnel-Private-Group-Id': { type: 81, kind: 'tagged' },
  'Acct-Interim-Interval': { type: 85, kind: 'int' },
  'NAS-Port-Id': { type: 87, kind: 'text' },
  'NAS-IPv6-Address': { type: 95, kind: 'ip6' },
  'Error-Cause': { type: 101, kind: 'int' },
  'Operator-Name': { type: 126, kind: 'text' },
  'Framed-IPv6-Address': { type: 168, kind: 'ip6' },
  'MS-CHAP-Error': { vendor: microsoft, type: 2, kind: 'octets' },
  'MS-CHAP-Challenge': { vendor: microsoft, type: 11, kind: 'octets' },
  'MS-CHAP2-Response': { vendor: microsoft, type: 25, kind: 'octets' },
  'MS-CHAP2-Success': { vendor: microsoft, type: 26, kind: 'octets' },
  'WISPr-Bandwidth-Min-Up': { vendor: wispr, type: 5, kind: 'int' },
  'WISPr-Bandwidth-Min-Down': { vendor: wispr, type: 6, kind: 'int' },
  'WISPr-Bandwidth-Max-Up': { vendor: wispr, type: 7, kind: 'int' },
  'WISPr-Bandwidth-Max-Down': { vendor: wispr, type: 8, kind: 'int' },
  'WISPr-Session-Terminate-Time': { vendor: wispr, type: 9, kind: 'text' },
  'ChilliSpot-Max-Total-Octets': { vendor: chillispot, type: 3, kind: 'int' },
  'ChilliSpot-Bandwidth-Max-Up': { vendor: chillispot, type: 4, kind: 'int' },
  'ChilliSpot-Bandwidth-Max-Down': { vendor: chillispot, type: 5, kind: 'int' },
  'ChilliSpot-Max-Total-Gigawords': { vendor: chillispot, type: 23, kind: 'int' },
  'HP-Bandwidth-Max-Ingress': { vendor: hp, type: 46, kind: 'int' },
  'HP-Bandwidth-Max-Egress': { vendor: hp, type: 48, kind: 'int' },
  'Huawei-Input-Average-Rate': { vendor: huawei, type: 2, kind: 'int' },
  'Huawei-Output-Average-Rate': { vendor: huawei, type: 5, kind: 'int' },
  'Airespace-Data-Bandwidth-Average-Contract': { vendor: airespace, type: 7, kind: 'int' },
  'Airespace-Data-Bandwidth-Average-Contract-Upstream': { vendor: airespace, type: 13, kind: 'int' },
  'Mikrotik-Rate-Limit': { vendor: mikrotik, type: 8, kind: 'text' },
  'Mikrotik-Total-Limit': { vendor: mikrotik, type: 17, kind: 'int' },
  'Mikrotik-Total-Limit-Gigawords': { vendor: mikrotik, type: 18, kind: 'int' },
} as const satisfies Record<string, AttributeSpec>;

export type AttributeName = keyof typeof attributes;

export const specOf = (name: AttributeName): AttributeSpec => attributes[name];

export const codes = {
  accessRequest: 1,
  accessAccept: 2,
  accessReject: 3,
  accountingRequest: 4,
  accountingResponse: 5,
  accessChallenge: 11,
  statusServer: 12,
  disconnectRequest: 40,
  disconnectAck: 41,
  disconnectNak: 42,
  coaRequest: 43,
  coaAck: 44,
  coaNak: 45,
} as const;

/** Acct-Status-Type. */
export const statusTypes = { start: 1, stop: 2, interim: 3, on: 7, off: 8 } as const;
