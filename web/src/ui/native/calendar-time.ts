import { dayEnd, dayStart, zonedTime } from '@farlink/contract/kit/zone.ts';
import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/zh-cn';

// The language is constant until reload.
if (globalThis.document?.documentElement.lang === 'zh-CN') dayjs.locale('zh-cn');

/** The calendar uses times without a zone; these are converted to the business time zone. */
export const toCalendar = (seconds: number): Dayjs => dayjs(zonedTime(seconds));

export const fromCalendar = (date: Dayjs): number => Date.parse(`${date.format('YYYY-MM-DDTHH:mm:ss')}+08:00`) / 1000;

export const startOfCalendarDay = (date: Dayjs): number => dayStart(fromCalendar(date));
export const endOfCalendarDay = (date: Dayjs): number => dayEnd(fromCalendar(date));

export const calendarNow = (): Dayjs => toCalendar(Date.now() / 1000);
