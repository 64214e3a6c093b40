import type { Attention } from '../device/attention.ts';
import type { deviceAuth } from '../device/choices.ts';
import type { feedbackLevel, feedbackType } from '../feedback/choices.ts';
import type { TrafficShare, TrafficTrend } from '../traffic/traffic.ts';

type Auth = (typeof deviceAuth)[number]['id'];

/** Counts of the device list. */
export interface DeviceFigures {
  readonly total: number;
  readonly online: number;
  readonly l_band: number;
  readonly waiting: number;
  readonly auth: Readonly<Record<Auth, number>>;
  readonly attention: Readonly<Record<Attention, number>>;
}

export interface UserFigures {
  readonly total: number;
  readonly online: number;
  /** Bound to nothing, with a package that is paid. */
  readonly unusable: number;
}

/** A range of `create_at`, both ends included. */
export interface Range {
  readonly start_at: number;
  readonly end_at: number;
}

interface Income extends Range {
  readonly net_income: string;
}

interface Orders extends Range {
  readonly total: number;
  readonly income: string;
}

/** Today so far, and the same weekday last week up to the same time of day. */
interface Compared<T> {
  readonly today: T;
  readonly before: T;
}
export type IncomeFigures = Compared<Income>;
export type OrderFigures = Compared<Orders>;

interface HourTraffic extends Range {
  readonly total_bytes: number;
}

export interface TrafficFigures extends TrafficTrend {
  /** Whole hours of today, and the same hours of the same weekday last week. Null before the first complete hour. */
  readonly hours: Compared<HourTraffic> | null;
}

export interface ApplicationFigures extends Range {
  readonly total_bytes: number;
  readonly list: readonly TrafficShare[];
}

export interface PendingFeedback {
  readonly id: number;
  readonly type: (typeof feedbackType)[number]['id'];
  readonly level: (typeof feedbackLevel)[number]['id'];
  readonly content: string;
  readonly account: string;
  readonly create_at: number;
}

export interface LatestAnnouncement {
  readonly id: number;
  readonly title: string;
  readonly source: 'admin' | 'vno';
  readonly create_at: number;
  readonly is_read: boolean;
}

export interface Latest<Row> {
  readonly total: number;
  readonly list: readonly Row[];
}

/** Link state of a point of the map. */
export type FleetState = 'online' | 'l_band' | 'offline';

/** One device, or all devices of a state within a degree if the fleet is large. */
export interface FleetPoint {
  readonly lat: number;
  readonly lon: number;
  readonly state: FleetState;
  readonly count: number;
  readonly device?: { readonly id: number; readonly name: string };
}

/** Tasks under way; a part is missing without the permission of its page. */
export interface RunningFigures {
  readonly firmware?: number;
  readonly config?: number;
  readonly file?: number;
  readonly portal?: number;
  readonly dpi?: number;
}

/**
 * Figures of the dashboard. A part is missing if the session may not open its page, and null if it could not be read. Each figure is the
 * total of its page.
 */
export interface HomeSummary {
  readonly at: number;
  readonly devices?: DeviceFigures | null;
  readonly fleet?: readonly FleetPoint[] | null;
  readonly users?: UserFigures | null;
  readonly income?: IncomeFigures | null;
  readonly orders?: OrderFigures | null;
  readonly traffic?: TrafficFigures | null;
  readonly applications?: ApplicationFigures | null;
  readonly feedback?: Latest<PendingFeedback> | null;
  readonly notices?: Latest<LatestAnnouncement> | null;
  readonly running?: RunningFigures | null;
}
