-- What wrk sends: searches, the bodies of which stand in a file, a line each; and what it tells at the end, as JSON.
--   wrk ... -s search.lua URL -- BODIES MILLISECONDS
-- MILLISECONDS is the mean pause of a connection between an answer and its next request, equally likely from 0 to twice
-- that; 0 for none.

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(args)
  bodies, statuses, pause = {}, {}, tonumber(args[2])
  for line in io.lines(args[1]) do
    table.insert(bodies, wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, line))
  end
  math.randomseed(number + 1)
end

function request()
  return bodies[math.random(#bodies)]
end

function delay()
  return math.random() * 2 * pause
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
end

function done(summary, latency)
  local all = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("statuses")) do
      all[status] = (all[status] or 0) + count
    end
  end
  local counted = {}
  for status, count in pairs(all) do
    table.insert(counted, string.format('"%d": %d', status, count))
  end
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"rate": %.1f, "p50": %.2f, "p90": %.2f, "p99": %.2f, "p99.9": %.2f, "broken": %d, "statuses": {%s}}\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
    latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, broken, table.concat(counted, ", ")))
end
