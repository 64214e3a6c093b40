import { dayEnd, dayStart, zonedTime } from '@farlink/contract/kit/zone.ts';
import dayjs, { type Dayjs } from 'dayjs';

/** The calendar uses times without a zone; these are converted to the business time zone. */
export const toPicked = (seconds: number): Dayjs => dayjs(zonedTime(seconds));

export const fromPicked = (picked: Dayjs): number => Date.parse(`${picked.format('YYYY-MM-DDTHH:mm:ss')}+08:00`) / 1000;

export const startOfPicked = (picked: Dayjs): number => dayStart(fromPicked(picked));
export const endOfPicked = (picked: Dayjs): number => dayEnd(fromPicked(picked));

export const nowPicked = (): Dayjs => toPicked(Date.now() / 1000);
