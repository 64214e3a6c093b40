import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { OpeningWay } from '@farlink/contract/user/opening.ts';
import type { NewSubscriber } from '../../../domain/subscriber/insert-subscribers.ts';
import type { Binding } from '../binding.ts';

/** Common values of all accounts of an opening. Plain data, because a job may store it. */
export interface Terms {
  readonly way: OpeningWay;
  readonly place: Binding;
  readonly prefix_id: number | null;
  readonly package_id: number | null;
  /** Null if nothing is sold yet. */
  readonly sale: { readonly discount: string | null; readonly pay_method: PayMethod } | null;
  /** If true, one fault refuses all accounts. */
  readonly atomic: boolean;
  readonly producer: string | null;
  readonly remark: string | null;
}

export type Account = Pick<NewSubscriber, 'account' | 'account_type' | 'name' | 'phone' | 'allow_logins' | 'expire_at'> & {
  readonly password: string;
} & Partial<
    Pick<
      NewSubscriber,
      | 'prefix_id'
      | 'id_type'
      | 'id_number'
      | 'email'
      | 'cert_start_at'
      | 'cert_end_at'
      | 'issuing_authority'
      | 'bind_ip'
      | 'bind_mac'
      | 'vlan_id'
      | 'remark'
    >
  >;

/** One account to open, or the reason why it cannot be opened. */
export interface Candidate {
  readonly row: number;
  readonly account: string;
  readonly desired: Account | null;
  readonly fault: Text | null;
  /** Original cells of the file. */
  readonly cells?: readonly string[];
}

export interface Fault {
  readonly row: number;
  readonly account: string;
  readonly message: Text;
  readonly cells?: readonly string[];
}

export interface Outcome {
  readonly total: number;
  readonly faults: readonly Fault[];
  readonly opened: readonly Account[];
  readonly package_name: string | null;
}
