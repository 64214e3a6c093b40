import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import { headOf, type PageKey } from '@farlink/contract/menu.ts';
import { mayCall, mayOpen } from '@farlink/contract/rights.ts';

/** Whether a session may open a page and read its list. */
export const mayRead = (me: Me, page: PageKey, list: Endpoint): boolean => mayOpen(headOf(page), me) && mayCall(list, me);
