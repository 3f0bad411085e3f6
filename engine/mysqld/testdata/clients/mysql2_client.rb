require 'mysql2'
require 'json'
c = Mysql2::Client.new(host: ENV['DB_HOST'], port: ENV['DB_PORT'].to_i, username: ENV['DB_USER'], password: ENV['DB_PASSWORD'],
                       database: ENV['DB_NAME'], encoding: 'utf8mb4', ssl_mode: :disabled)
text = ->(v) { v.nil? ? nil : v.is_a?(BigDecimal) ? v.to_s('F') : v.respond_to?(:strftime) ? v.strftime('%Y-%m-%d %H:%M:%S.%6N') : v.to_s }
STDIN.each_line do |line|
  q = JSON.parse(line)
  rows = c.prepare(q['sql']).execute(*q['args'], as: :array, cast_booleans: false).to_a
  puts JSON.generate(rows.map { |r| r.map(&text) })
end
raise 'ping' unless c.ping
