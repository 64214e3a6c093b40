import { calls, shape } from '../kit/endpoint.ts';
import { choice, option, text } from '../kit/field.ts';
import { subjectInput } from '../kit/lookup.ts';
import { accountPlace, accountType } from '../user/choices.ts';
import { packageKindField } from './choices.ts';

/** Binding of a new account. */
export const bindingInput = {
  bind_type: choice(['绑定类型', 'Bound to'], accountPlace),
  device_id: option(['设备', 'Device'], 'device/option'),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option'),
};

/** Inputs that decide which packages a form can sell: the chosen accounts, or binding and type of the new account. */
export const offerBy = ['ids', 'bind_type', 'device_id', 'device_group_id', 'account_type'] as const;
/** The entered account. */
export const offerTo = ['ids', 'account'] as const;

/** A package as an option; `name` includes VNO, price and capacity. The others are its parts, for two lines. */
export interface OfferOption {
  readonly name: string;
  readonly title: string;
  /** Empty if nothing is charged. */
  readonly amount: string;
  /** The VNO if the packages belong to several, and the capacity. */
  readonly detail: string;
  readonly price: string;
  /** Higher weights come first. */
  readonly weight: number;
}

export const offerCalls = calls('package', 'session', {
  option: {
    kind: 'option',
    path: 'package/offer',
    summary: ['可售套餐选项', 'Option list of packages for sale'],
    input: {
      kind: packageKindField,
      ...subjectInput,
      ...bindingInput,
      account: text(['上网账号', 'Online account'], { max: 64 }),
      account_type: choice(['账号类型', 'Account type'], accountType),
    },
    shape: shape<Record<string, OfferOption>>(),
  },
});
