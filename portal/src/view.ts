import type { Data } from './template.ts';

/**
 * Pages of a portal. The first five are the home page in its states, with the blocks of the document. The others have the header, one panel
 * and the footer.
 */
export const homeViews = ['out', 'online', 'used', 'paying', 'offline'] as const;
export const panelViews = [
  'register',
  'packages',
  'buy',
  'card',
  'password',
  'devices',
  'notices',
  'feedback',
  'agreement',
  'message',
] as const;
export const views = [...homeViews, ...panelViews] as const;
export type HomeView = (typeof homeViews)[number];
export type PanelView = (typeof panelViews)[number];
export type View = (typeof views)[number];
export const isPanelView = (name: string): name is PanelView => panelViews.some((panel) => panel === name);
export const isHomeView = (view: View): view is HomeView => homeViews.some((home) => home === view);

/**
 * Data for the placeholders of a page. All texts are in the language of the page, ready to show.
 *
 * Actions are plain forms and links below `here`, so pages work without script and without cookies:
 *
 * | Request                       | Fields                                              |
 * | ----------------------------- | --------------------------------------------------- |
 * | `GET {here}`                  | home, in the state of the subscriber                |
 * | `POST {here}login`            | `account`, `password`, `captcha?`                   |
 * | `POST {here}card`             | `card_no`, `card_password`, `captcha?`: log in with a card, or redeem it when logged in |
 * | `GET {here}connect`           | takes the browser to the login page of a router of another maker |
 * | `POST {here}logout`           | `session?`: another device of the account           |
 * | `GET {here}register`          | form                                                |
 * | `POST {here}register/code`    | the same form: sends the SMS code                   |
 * | `POST {here}register`         | `account`, `password`, `name`, `phone`, `smscode?`, `id_type?`, `id_number?`, `photo?`, `captcha` |
 * | `GET {here}packages`          | all packages on sale                                |
 * | `GET {here}buy?package={id}`  | confirmation with price and channels                |
 * | `POST {here}buy`              | `package`, `channel`, `no?`, `balance?`: creates an order. Channel `balance` pays from the balance; `balance=1` pays a part from it |
 * | `GET {here}pay/{no}`          | state of the order; `GET {here}pay/{no}/qr.svg` its code |
 * | `POST {here}pay/{no}/cancel`  | closes the order                                    |
 * | `POST {here}renewal`          | `on`: `1` or `0`, the automatic renewal from the balance |
 * | `GET`, `POST {here}password`  | `old_password`, `password`, `password_again`        |
 * | `GET {here}devices`           | open sessions of the account                        |
 * | `GET {here}notices`           | all notices                                         |
 * | `GET`, `POST {here}feedback`  | `type`, `level`, `content`, `phone`, `file` (up to 3) |
 * | `GET {here}agreement`         | the agreement of the document                       |
 * | `GET {here}captcha?id={id}`   | image of the captcha; forms send `captcha_id` with the answer |
 */
export type PortalData = Data & {
  /** Base of `asset/…` and `img/…`, ends with a slash. */
  readonly root: string;
  /** Base of the actions, ends with a slash; holds language and session of the visitor. */
  readonly here: string;
  /** Address of this page in the other language. */
  readonly other: string;
  /** A message above the content. */
  readonly message?: string;
  readonly isError?: boolean;
  /** Address of the captcha image; missing if none is needed. */
  readonly captcha?: string;
  /** Id of the captcha image: field `captcha_id`. */
  readonly captchaId?: string;
  /** Values to show again in a refused form, by field. */
  readonly value?: Data;
  /** Chosen options to show again, as `{field: {option: true}}`. */
  readonly chosen?: Data;
  /** Messages at the fields of a refused form, by field. */
  readonly error?: Data;
  /** Path of the logo of the VNO below `root`, for a header without a logo of its own. */
  readonly logo?: string;
  readonly account?: string;
  /** The account has an open session. */
  readonly isOnline?: boolean;
  /** The router of the client waits for the login: a link to it is shown. */
  readonly canConnect?: boolean;
  /** The way to the router of the client, on the page of a message. */
  readonly router?: RouterStep;
  /** A job account: its package is set by the provider, so it sees no prices and no cards. */
  readonly isJob?: boolean;
  readonly quota?: Quota;
  /** Automatic renewal from the balance; missing if the account cannot have it. */
  readonly renewal?: { readonly isOn: boolean };
  readonly sessions?: readonly SessionLine[];
  readonly packages?: readonly PackageLine[];
  /** Extra packages, on the page of all packages. */
  readonly extras?: readonly PackageLine[];
  readonly hasExtras?: boolean;
  readonly notices?: readonly AnnouncementLine[];
  readonly order?: Order;
  readonly answers?: readonly FeedbackLine[];
  /** Fields that the registration of this VNO requires. */
  readonly ask?: { readonly sms?: boolean; readonly realname?: boolean; readonly photo?: boolean; readonly prefix?: string };
  /** False shows why the visitor cannot register instead of the link. */
  readonly canRegister?: boolean;
  /** Registration is open only behind a gateway. */
  readonly needsNetwork?: boolean;
  /** Purchase is possible: the VNO has a payment channel, or the balance covers the price. */
  readonly channels?: readonly PayWay[];
};

/** A way to pay: wholly by a channel or from the balance, or the rest by a channel (`part`). */
export type PayWay = { readonly id: string; readonly name: string; readonly part?: boolean };

export type Quota = {
  /** The package in use, if it is the only one. */
  readonly name?: string;
  /** Several packages, in the order of use. */
  readonly several?: { readonly packages: readonly QuotaLine[] };
  /** Remaining bytes of all packages as text, or that they are unlimited. */
  readonly left: string;
  readonly total?: string;
  /** Remaining percentage, `0`…`100`; missing if unlimited. */
  readonly percent?: string;
  /** Remaining time online. */
  readonly time?: string;
  readonly until?: string;
  /** Amount that the provider owes the subscriber; missing if zero. */
  readonly balance?: string;
  /** Why there is no service, and what the subscriber can do. */
  readonly blocked?: string;
  /** Text of the credit control when the last package is used up to its share. */
  readonly reminder?: string;
};
/** What the browser sends to the router: a link, or a form to `action`. */
export type RouterStep = {
  readonly link?: string;
  readonly isLogoff?: boolean;
  readonly action?: string;
  readonly username?: string;
  readonly password?: string;
  readonly dst?: string;
};
export type QuotaLine = { readonly name: string; readonly left: string; readonly state: string };
export type SessionLine = {
  readonly id: string;
  readonly mac: string;
  readonly ip: string;
  readonly since: string;
  readonly isThis?: boolean;
};
export type PackageLine = { readonly id: string; readonly name: string; readonly price: string; readonly detail: string };
export type AnnouncementLine = { readonly title: string; readonly content: string; readonly at: string };
export type FeedbackLine = { readonly content: string; readonly at: string; readonly answer?: string; readonly answered?: string };
export type Order = {
  readonly no: string;
  readonly name: string;
  readonly amount: string;
  readonly channel: string;
  /** Number of the order that a click makes, so that two clicks make one. */
  readonly newNo?: string;
  /** Part that is paid from the balance. */
  readonly part?: string;
  /** Address of the payment page of the provider. */
  readonly link?: string;
  /** Address of the QR code. */
  readonly qr?: string;
  /** Seconds until the page polls again; missing when the order has ended. */
  readonly refresh?: string;
};
