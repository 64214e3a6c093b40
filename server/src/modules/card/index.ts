import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardExportCalls } from '@farlink/contract/card/card-export.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { bind } from '../../kit/http/serve.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { applyTermsJob } from './apply-terms.ts';
import { changeCards, listCards, revealCard } from './card.ts';
import { listRules, readRule, removeRule, ruleOptions, updateRule } from './card-rule.ts';
import { expireCardsJob } from './expire-cards.ts';
import { exportCards, exportRules, listCardExports } from './export-cards.ts';
import { makeCardsJob } from './make-batch.ts';
import { makeCards } from './make-cards.ts';

export const cardBindings = [
  bind(cardRuleCalls.list, listRules),
  bind(cardRuleCalls.make, makeCards),
  bind(cardRuleCalls.read, readRule),
  bind(cardRuleCalls.update, updateRule),
  bind(cardRuleCalls.remove, removeRule),
  bind(cardRuleCalls.export, exportRules),
  bind(cardRuleCalls.option, ruleOptions),
  bind(cardCalls.list, listCards),
  bind(cardCalls.change, changeCards),
  bind(cardCalls.reveal, revealCard),
  bind(cardCalls.export, exportCards),
  bind(cardExportCalls.list, listCardExports),
];

export const cardJobs: JobKinds = { make_cards: makeCardsJob, apply_card_terms: applyTermsJob, expire_cards: expireCardsJob };

/** For `startJobs`: every five minutes. */
export const cardJobsEvery = { expire_cards: 300 };
