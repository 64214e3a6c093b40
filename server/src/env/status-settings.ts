import { type Env, mailAddress, optional, setting } from './setting.ts';

const mailAddresses = (value = ''): readonly string[] => value.split(',').map((part) => mailAddress(part.trim()));

/** Settings of the system status. */
export const statusSettings = {
  alarmMail: setting(
    'ALARM_MAIL',
    'Mail addresses for alarms of the system status, comma separated; default: accounts of the platform with an address and the page',
    optional(mailAddresses),
  ),
};

export const statusConfig = (env: Env) => ({ alarmMail: statusSettings.alarmMail.in(env) ?? [] });
