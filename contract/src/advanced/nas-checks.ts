import { fill, type Text } from '../kit/text.ts';
import { durationText } from '../kit/units.ts';
import type { NasRecord } from './nas-detail.ts';

export type CheckState = 'ok' | 'warning' | 'none';

/** One line of the check list of a NAS: what was seen, or what is missing and why. */
export interface NasCheck {
  readonly key: string;
  readonly label: Text;
  readonly state: CheckState;
  readonly text: Text;
  readonly at: number | null;
}

export type Observed = Pick<
  NasRecord,
  'kind' | 'login_seen_at' | 'accounting_seen_at' | 'class_returned' | 'clock_offset_s' | 'wrong_secret' | 'require_ma' | 'signing' | 'coa'
>;

/** A clock that differs more puts logins and stops at wrong times. */
const clockToleranceS = 60;

const seen: Text = ['已收到', 'Seen'];

const whyNoLogin = ({ wrong_secret, require_ma, signing }: Observed): Text => {
  if (wrong_secret) return ['收到的请求密钥错误，请核对NAS上的共享密钥', 'Requests have a wrong secret. Check the secret on the NAS.'];
  if (require_ma && signing === 'unsigned')
    return [
      '请求没有Message-Authenticator而被丢弃，请升级NAS或关闭该要求',
      'Requests without Message-Authenticator are dropped. Update the NAS or turn the requirement off.',
    ];
  return ['尚未收到，请检查地址、端口和NAS标识', 'None yet. Check address, port and NAS identifier.'];
};

const loginCheck = (nas: Observed): Omit<NasCheck, 'key' | 'label'> => {
  const { login_seen_at: at } = nas;
  if (at !== null && at !== undefined) return { state: 'ok', text: seen, at };
  const isSent = Boolean(nas.wrong_secret) || nas.signing === 'unsigned';
  return { state: isSent ? 'warning' : 'none', text: whyNoLogin(nas), at: null };
};

const accountingCheck = ({ login_seen_at, accounting_seen_at: at }: Observed): Omit<NasCheck, 'key' | 'label'> => {
  if (at !== null && at !== undefined) return { state: 'ok', text: seen, at };
  if (login_seen_at === null || login_seen_at === undefined) return { state: 'none', text: ['尚未收到', 'None yet'], at: null };
  return {
    state: 'warning',
    text: ['有登录但没有计费，请在NAS上开启RADIUS计费', 'Logins arrive without accounting. Turn on RADIUS accounting on the NAS.'],
    at: null,
  };
};

const classCheck = ({ class_returned }: Observed): Omit<NasCheck, 'key' | 'label'> => {
  if (class_returned === true) return { state: 'ok', text: ['计费请求带回Class', 'Accounting repeats Class'], at: null };
  if (class_returned === false)
    return {
      state: 'warning',
      text: [
        '计费请求没有带回Class，只能按账号和MAC识别会话',
        'Accounting does not repeat Class. Sessions are matched by account and MAC only.',
      ],
      at: null,
    };
  return { state: 'none', text: ['尚无会话', 'No sessions yet'], at: null };
};

const coaCheck = ({ kind, coa }: Observed): Omit<NasCheck, 'key' | 'label'> => {
  if (coa) return { state: coa.is_acked ? 'ok' : 'warning', text: [coa.text, coa.text], at: coa.at };
  if (kind === 'gateway') return { state: 'none', text: ['网关经其连接接收命令', 'A gateway is asked over its own connection'], at: null };
  return { state: 'none', text: ['尚未发送请求，可在在线用户中强制下线一次', 'None sent yet. Kick a user to test it.'], at: null };
};

const clockCheck = ({ clock_offset_s: offset }: Observed): Omit<NasCheck, 'key' | 'label'> => {
  if (offset === null || offset === undefined) return { state: 'none', text: ['NAS未发送时间', 'The NAS has sent no time'], at: null };
  const size = durationText(Math.abs(offset));
  const text: Text = offset < 0 ? fill(['慢{0}', '{0} behind'], size) : fill(['快{0}', '{0} ahead'], size);
  if (Math.abs(offset) <= clockToleranceS) return { state: 'ok', text: offset === 0 ? ['准确', 'Exact'] : text, at: null };
  return { state: 'warning', text: fill(['{0}，请在NAS上设置NTP', '{0}. Set NTP on the NAS.'], text), at: null };
};

/** What works between a NAS and the platform, as far as received packets show. */
export const nasChecks = (nas: Observed): readonly NasCheck[] => [
  { key: 'login', label: ['登录', 'Login'], ...loginCheck(nas) },
  { key: 'accounting', label: ['计费', 'Accounting'], ...accountingCheck(nas) },
  { key: 'class', label: ['Class', 'Class'], ...classCheck(nas) },
  { key: 'coa', label: ['下线与变更（CoA）', 'Kick and change (CoA)'], ...coaCheck(nas) },
  { key: 'clock', label: ['时钟', 'Clock'], ...clockCheck(nas) },
];
