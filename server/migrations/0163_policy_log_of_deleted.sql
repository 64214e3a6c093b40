-- A policy of a deleted account reaches no gateway.
update policy_log p set result = 'fail', message_zh = '账号已删除', message_en = 'The account was deleted'
  where p.result = 'pending' and not exists (select from subscriber s where s.id = p.subscriber_id);
